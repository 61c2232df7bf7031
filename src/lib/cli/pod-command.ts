import type {CertificateReader} from '../decode/x509/certificate-reader.ts'
import type {Side} from '../domain/question.ts'
import type {PodItem} from '../domain/report.ts'
import type {RootQuestions} from '../domain/roots.ts'
import {type FleetFold} from '../flow/inspect.ts'
import type {Selected} from '../flow/select-pods.ts'
import type {DiffLooking} from '../flow/look-at-diff.ts'
import type {Purpose} from '../plan/plan.ts'
import type {View} from '../report/view.ts'
import type {CheckLooking} from '../flow/look-at-check.ts'
import type {CheckPolicy} from '../judge/check-policy.ts'
import {type CheckFlagValues} from './check-policy.ts'
import type {ConnectionFlagValues} from './connection.ts'
import {type ExitFlagValues} from './exit-policy.ts'
import {type PodFlagValues} from './selection.ts'
import {type StyleFlagValues} from './style.ts'
import {type WaitFlagValues} from './waiting.ts'
import {type AskFlagValues} from './wants.ts'

/** One kind of command over pods: what it wants of each, and what it makes of it. */
export interface PodCommand<Item extends PodItem> {
  readonly view: View<Item>
  /** Sides that are asked; none for what the listing alone says. */
  readonly sides: readonly Side[]
  readonly purpose: Purpose
  look(selected: Selected, signal: AbortSignal, looking: DiffLooking & CheckLooking): Promise<Item>
  /** What it says of all pods together. */
  readonly fold?: (what: Folding) => FleetFold<Item>
  /** Nothing selected is no failure of this command. */
  readonly mayBeEmpty: boolean
  /** It tells of one pod: several are a usage error. */
  readonly single?: boolean
}

/** What a report on the fleet is made with. */
interface Folding {
  readonly roots: RootQuestions
  readonly policy: CheckPolicy
  readonly certificates: CertificateReader
  readonly nowMs: () => number
}

/** Flags of every command over pods; those that only some have are optional. */
export interface PodCommandFlags
  extends
    PodFlagValues,
    ConnectionFlagValues,
    CheckFlagValues,
    WaitFlagValues,
    StyleFlagValues,
    ExitFlagValues,
    Partial<AskFlagValues> {
  readonly file?: readonly string[] | undefined
  readonly secret?: readonly string[] | undefined
  readonly 'proxy-admin-port'?: string | undefined
  readonly 'istio-namespace'?: string
  readonly 'chunk-size'?: string
  readonly limit?: string | undefined
  readonly continue?: string | undefined
  readonly timeout: string
  readonly concurrency?: string
  readonly deadline?: string
  readonly settle?: string
  readonly output: string
  readonly 'output-file'?: readonly string[] | undefined
  readonly color: string
  readonly quiet: boolean
  readonly detail?: boolean
  readonly expect?: string | undefined
  readonly without?: string | undefined
  readonly now?: string | undefined
}

/** The command line a run came from, for the hint that goes on with it. */
export interface Invocation {
  readonly bin: string
  readonly id: string
  readonly argv: readonly string[]
  readonly targets: readonly string[]
  readonly verbosity: number
  readonly version: string
}
