import type {CertificateReader} from '../decode/x509/certificate-reader.ts'
import type {Notice, PodLister} from '../domain/access.ts'
import type {Pod} from '../domain/pod.ts'
import type {Selection} from '../domain/selection.ts'
import type {ReadPod} from '../flow/reading.ts'
import type {Recognised} from '../flow/select-pods.ts'
import type {readWants} from './wants.ts'

/** Pods of clusters or of files: who lists them, who reads them, and what they are. */
export interface OpenPods extends AsyncDisposable {
  readonly lister: PodLister
  readonly read: ReadPod
  /** Asks an agent for its metrics alone. */
  readonly readMetrics: ReadPod
  readonly reading: 'files' | 'live'
  readonly certificates: CertificateReader
  /** Contexts that are asked; none for files. */
  readonly contexts: readonly string[]
  /** What a cursor is bound to: servers. */
  readonly origins: readonly string[]
  recognise(pod: Pod): Recognised
  /** The pod as it is now; undefined where it has gone. Throws ProbeError. */
  readPod(pod: Pod, signal: AbortSignal): Promise<Pod | undefined>
}

export interface PodSettings {
  readonly selection: Selection
  readonly chunkSize: number
  readonly deadlineMs: number
  readonly settleMs: number
  readonly wants: ReturnType<typeof readWants>
  readonly adminPort: number | undefined
  readonly fixedNowMs: number | undefined
  readonly notice: Notice
  readonly signal: AbortSignal
  /** Told of each question, where `-v` was given twice. */
  readonly trace: ((text: string) => void) | undefined
}
