import {CA_SUFFIX, type Credential, parseCredential} from '../../domain/credential.ts'
import type {CertificatesManaged} from '../../domain/kubernetes-seen.ts'
import type {Observation} from '../../domain/observation.ts'
import {podKey} from '../../domain/pod.ts'
import type {ApiForm} from '../../domain/question.ts'
import type {Asked, Later} from '../source-spec.ts'

/** Certificates a page, and pages of one namespace: past that, somebody uses the namespace for something else. */
const PAGE_SIZE = 500
const MAX_PAGES = 4

/** Secrets that are read for one pod: a gateway with more is asked for with `--secret`. */
const MAX_SECRETS = 100

/** What of `later` needs the flags. */
interface Choice {
  /** `--secret`: no other secret is asked for; absent: all. */
  readonly secretNames?: readonly string[]
}

/**
 * Certificates of the namespaces in which this pod's credentials are: lists, for a Certificate's name is not that of its
 * Secret. A further page is asked in the round after the one before it.
 */
export function certificateLists(
  {pod}: Asked,
  seen: readonly Observation[],
  round: number,
  {secretNames}: Choice,
): Later {
  const namespaces = new Set(
    credentialsOf(seen, pod.namespace, secretNames)
      .filter(({isCaOnly}) => !isCaOnly)
      .map(({namespace}) => namespace),
  )
  const pages = seen.filter((one) => one.type === 'certificates-managed')
  const forms: ApiForm[] = []
  const tooMany: string[] = []
  for (const namespace of namespaces) {
    const known = pages.filter((page) => page.namespace === namespace)
    const next = nextPage(known, round)
    if (next === undefined) continue
    if (round > MAX_PAGES) tooMany.push(namespace)
    else forms.push({type: 'api', path: listPath(namespace, next)})
  }
  if (tooMany.length === 0) return {asks: forms.map((form) => [form])}
  const message = `Cannot read all Certificates of ${tooMany.join(', ')} for ${podKey(pod)}: there are more than ${PAGE_SIZE * MAX_PAGES}`
  const hint = 'What was read counts; --no-source cert-manager does without'
  return {asks: forms.map((form) => [form]), failure: {code: 'too-large', message, hint}}
}

/** The token of the page to ask for in this round, `''` for the first; undefined where there is none. */
function nextPage(known: readonly CertificatesManaged[], round: number): string | undefined {
  if (round === 1) return ''
  // A page that could not be had is not asked for again.
  return known.length === round - 1 ? known.at(-1)?.next : undefined
}

function listPath(namespace: string, token: string): string {
  const query = new URLSearchParams({limit: String(PAGE_SIZE), ...(token !== '' && {continue: token})})
  return `/apis/cert-manager.io/v1/namespaces/${encodeURIComponent(namespace)}/certificates?${query.toString()}`
}

/** The Secrets that this pod's credentials are in; of a `-cacert`, also the one without. */
export function secretObjects({pod}: Asked, seen: readonly Observation[], round: number, {secretNames}: Choice): Later {
  if (round !== 1) return {asks: []}
  const paths = new Set(
    credentialsOf(seen, pod.namespace, secretNames).flatMap(({namespace, name, isCaOnly}) =>
      [name, ...(isCaOnly ? [name.slice(0, -CA_SUFFIX.length)] : [])].map((one) => secretPath(namespace, one)),
    ),
  )
  const asks = [...paths].slice(0, MAX_SECRETS).map((path): readonly [ApiForm] => [{type: 'api', path}])
  if (paths.size <= MAX_SECRETS) return {asks}
  const message = `Cannot read all Secrets of ${podKey(pod)}: its credentials are in ${paths.size}, and at most ${MAX_SECRETS} are read`
  return {asks, failure: {code: 'too-large', message, hint: 'Name those that are meant with --secret'}}
}

function secretPath(namespace: string, name: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`
}

/** The Secrets that a proxy's secrets are made from, as far as the answers so far tell. */
function credentialsOf(
  seen: readonly Observation[],
  proxyNamespace: string,
  secretNames?: readonly string[],
): readonly Credential[] {
  const names = new Set(
    seen.flatMap((one) => (one.type === 'secrets' && one.side === 'proxy' ? one.items.map(({name}) => name) : [])),
  )
  return [...names]
    .filter((name) => secretNames?.includes(name) ?? true)
    .flatMap((name) => parseCredential(name, proxyNamespace) ?? [])
    .filter(({scheme}) => scheme !== 'configmap')
}
