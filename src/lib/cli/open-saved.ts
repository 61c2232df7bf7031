import type {DecodeContext} from '../decode/decode-context.ts'
import {parseFileArgument} from '../files/file-argument.ts'
import {openFiles} from '../files/open-files.ts'
import {readFiles} from '../flow/read-files.ts'
import type {Io} from './io.ts'
import type {OpenPods, PodSettings} from './opened-pods.ts'

/** Opens saved answers in place of a cluster; no kubeconfig is read. Throws RunError. */
export async function openSaved(
  paths: readonly string[],
  settings: PodSettings,
  decodeContext: DecodeContext,
  io: Io,
): Promise<OpenPods> {
  const {selection, notice, signal} = settings
  const files = await openFiles(
    paths.map((path) => parseFileArgument(path)),
    {selection, notice, signal, stdin: io.stdin, nowMs: io.nowMs()},
  )
  const read: OpenPods['read'] = async (pod, _agent, until) =>
    await readFiles(files.answersFor(pod), decodeContext, until)
  return {
    lister: files,
    contexts: [],
    origins: paths,
    reading: 'files',
    certificates: decodeContext.certificates,
    recognise: (pod) => {
      const agent = files.agentOf(pod)
      if (agent === undefined) throw new Error(`No file speaks for ${pod.name}`)
      return {agent, leaving: false}
    },
    readPod: (pod) => Promise.resolve(pod),
    read,
    // Nobody reads files twice.
    readMetrics: read,
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/** A PEM file's secret has the one name of `--secret`. */
export function fileSecretName(secrets: readonly string[] | undefined): {fileSecretName?: string} {
  const [name, ...more] = new Set(secrets)
  return name === undefined || more.length > 0 ? {} : {fileSecretName: name}
}
