import type {Profile} from '../profiles/profile-schema.ts'
import type {Wants} from './plan.ts'
import type {SourceSpec} from './source-spec.ts'
import {SOURCES} from './sources.ts'

/** A source that a kind offers and a command wants. */
export interface WantedSource {
  readonly source: keyof typeof SOURCES
  readonly spec: SourceSpec
  /** The user asked for it by name, or by its flag: then its absence is a failure. */
  readonly isNamed: boolean
}

/** Of what a kind offers, what the flags leave; whether a pod has it is another question. */
export function wantedSources({sources}: Profile, wants: Wants): readonly WantedSource[] {
  const {sides, sources: named = [], exclude} = wants
  const sidesNamed = new Set(named.flatMap((source) => (source === 'debug' ? [] : SOURCES[source].sides)))
  return sources
    .filter((source) => !exclude.includes(source))
    .map((source) => ({source, spec: SOURCES[source], isNamed: isNamed(source)}))
    .filter(({spec}) => spec.sides.some((side) => sides.includes(side)))
    .filter(({spec, isNamed}) => isNamed || isWanted(spec))

  function isNamed(source: WantedSource['source']): boolean {
    return SOURCES[source].optedIn?.(wants) ?? named.includes(source)
  }

  function isWanted(spec: SourceSpec): boolean {
    return (
      spec.asked !== 'named' &&
      !spec.sides.some((side) => sidesNamed.has(side)) &&
      (spec.wanted?.(wants.purpose) ?? true)
    )
  }
}
