import type {Agent} from '../domain/agent.ts'
import type {Failure} from '../domain/failure.ts'
import type {Observation} from '../domain/observation.ts'
import {type Pod, podKey} from '../domain/pod.ts'
import type {Question} from '../domain/question.ts'
import {isBesideSecrets} from '../domain/source-side.ts'
import {builtinProfiles} from '../profiles/builtin.generated.ts'
import type {Profile} from '../profiles/profile-schema.ts'
import {checkDebugPath} from './check-debug-path.ts'
import type {Plan, Wants} from './plan.ts'
import {askElsewhere} from './ask-speakers.ts'
import {routesFor} from './routes-for.ts'
import type {Asked, Forms} from './source-spec.ts'
import {type WantedSource, wantedSources} from './wanted-sources.ts'

export interface PlanInput {
  readonly pod: Pod
  readonly agent: Agent
  readonly wants: Wants
  /** What earlier rounds brought. */
  readonly observations: readonly Observation[]
  /** Counted from 0. */
  readonly round: number
  /** Where the agent's kind is looked up; the built-in kinds unless the user has more. */
  readonly profiles?: readonly Profile[]
}

const NOTHING: Plan = {questions: [], failures: []}

/**
 * The questions of one round, until it has none. What the pod itself can be asked is asked in the first round, for each
 * source says all it knows at once; other pods that speak for it are found there or in the second, and asked in the one
 * after; objects of the API that the answers name, and what is to settle a doubt of them, are asked for from the second
 * on. Throws RunError (2) for a debug path that is not allowed.
 */
export function planQuestions({pod, agent, wants, observations, round, profiles = builtinProfiles}: PlanInput): Plan {
  if (wants.debug !== undefined && round === 0) {
    const {port, path} = wants.debug
    return {questions: [checkDebugPath(agent, port, path, {via: wants.via, profiles})], failures: []}
  }
  const profile = profiles.find(({name}) => name === agent.kind)
  if (profile === undefined || wants.debug !== undefined) return NOTHING
  const asked: Asked = {pod, agent, profile}
  const elsewhere = askElsewhere(asked, observations, round, wants)
  const suited = wantedSources(profile, wants).filter(
    ({spec, isNamed}) => isNamed || (spec.suits?.(asked, wants) ?? true),
  )
  if (round > 0) {
    // Beside those who are found, and not before: a slow list must not take their time.
    const isSomebodySought = askElsewhere(asked, observations, 1, wants).length > 0
    const laterRound = isSomebodySought ? round - 1 : round
    const later = suited.map((wanted) => askLater(asked, wanted, observations, laterRound, wants))
    return {
      questions: [...elsewhere, ...later.flatMap(({questions}) => questions)],
      failures: later.flatMap(({failures}) => failures),
    }
  }
  const drafts = suited.map((wanted) => draft(asked, wanted, wants))
  return {
    questions: [...drafts.flatMap(({question}) => question ?? []), ...elsewhere],
    failures: [...drafts.flatMap(({failure}) => failure ?? []), ...noSocketKnown(asked, wants)],
  }
}

/**
 * Whether a kind of agent has nothing that a command is about: a control plane has no secrets that anybody could tell,
 * but `check` asks it how it fares.
 */
export function hasNothingToAsk(
  {kind}: Agent,
  {purpose}: Pick<Wants, 'purpose'>,
  profiles: readonly Profile[] = builtinProfiles,
): boolean {
  const profile = profiles.find(({name}) => name === kind)
  if (profile === undefined || (profile.elsewhere ?? []).length > 0) return false
  return profile.sources.every((source) => purpose !== 'check' && isBesideSecrets(source))
}

/** What was asked for by a flag of its own and cannot be had of this kind is said. */
function noSocketKnown({pod, agent, profile}: Asked, {sds, sides}: Wants): readonly Failure[] {
  if (sds !== true || !sides.includes('agent') || profile.sources.includes('agent-sds')) return []
  const message = `Cannot read agent-sds of ${podKey(pod)}: no SDS socket of ${agent.kind} is known`
  const hint = 'Leave --sds out: other sources speak for this kind'
  return [{side: 'agent', source: 'agent-sds', stage: 'select', code: 'no-source', message, hint}]
}

function draft(
  asked: Asked,
  {source, spec, isNamed}: WantedSource,
  {via}: Wants,
): {readonly question?: Question; readonly failure?: Failure} {
  const {pod, agent, profile} = asked
  if (spec.forms === undefined || (spec.asked === 'doubted' && !isNamed)) return {}
  const forms: Forms = spec.forms(asked)
  const about = {side: spec.sides[0], source, stage: 'select'} as const
  const name = `${source} of ${podKey(pod)}`
  if ('missing' in forms) {
    const code = agent.admin.type === 'off' && spec.sides[0] === 'proxy' ? 'admin-disabled' : 'no-source'
    const {missing, hint} = forms
    const message = `Cannot read ${name}: ${missing}`
    return {failure: {...about, code, message, ...(hint !== undefined && {hint})}}
  }
  const [route, ...rest] = routesFor(forms[0], via, profile.execHttp)
  if (route !== undefined) {
    const {maxBytes} = spec
    return {question: {source, side: about.side, container: agent.container, forms, routes: [route, ...rest], maxBytes}}
  }
  const [possible] = routesFor(forms[0], 'auto', profile.execHttp)
  const isSocket = forms[0].type === 'http' && forms[0].socket !== undefined
  const why = isSocket
    ? `its admin interface is the socket ${forms[0].socket}, which only exec reaches`
    : `--via ${via} cannot reach it`
  return {
    failure: {
      ...about,
      code: isSocket ? 'admin-socket' : 'no-source',
      message: `Cannot read ${name}: ${why}`,
      ...(possible !== undefined && {hint: `Ask it with --via ${possible}, or leave --via out`}),
    },
  }
}

/** What of this source is asked for by what is known so far. */
function askLater(
  asked: Asked,
  {source, spec, isNamed}: WantedSource,
  observations: readonly Observation[],
  round: number,
  wants: Wants,
): Plan {
  // Who named it has the answer from the first round.
  if (spec.asked === 'doubted' && isNamed) return NOTHING
  const {asks, failure} = spec.later?.(asked, observations, round, wants) ?? {asks: []}
  const [side] = spec.sides
  const {container} = asked.agent
  return {
    questions: asks.flatMap((forms) => {
      const [route, ...rest] = routesFor(forms[0], wants.via, asked.profile.execHttp)
      if (route === undefined) return []
      return [{source, side, container, forms, routes: [route, ...rest], maxBytes: spec.maxBytes} as const]
    }),
    failures: failure === undefined ? [] : [{side, source, stage: 'select', ...failure}],
  }
}

/** Ports that the questions need, each once, so that one stream can carry them. */
export function portsOf(questions: readonly Question[]): readonly number[] {
  const forms = questions.flatMap((question) => question.forms)
  return [...new Set(forms.flatMap((form) => (form.type === 'http' && form.socket === undefined ? [form.port] : [])))]
}

/**
 * Key of a question that gets the same answer whichever of many pods it is asked for; `undefined` for all others. What
 * an answer says is said by its source: two that read the same list share nothing.
 */
export function sharedKey(pod: Pod, {at, isOwn = false, source, forms: [form]}: Question): string | undefined {
  const asked = `${pod.context ?? ''} ${source}`
  if (form.type === 'api') return `${asked} ${form.path}`
  if (at === undefined || isOwn || form.type !== 'http') return undefined
  return `${asked} ${podKey(at)} ${form.port} ${form.paths.join(' ')}`
}
