import type {Pod} from './pod.ts'

/** kubectl's short names of what owns pods. */
const SHORT: Readonly<Record<string, string>> = {
  Deployment: 'deploy',
  ReplicaSet: 'rs',
  StatefulSet: 'sts',
  DaemonSet: 'ds',
  Job: 'job',
  CronJob: 'cj',
}

/**
 * What made a pod, as a TARGET reads it: `deploy/cart`, `ds/ztunnel`; undefined where nothing did. A Deployment names
 * its ReplicaSets `name-hash` and labels the pods with the hash; a CronJob names its Jobs `name-minutes`.
 */
export function ownerText({owners: [owner], labels}: Pod): string | undefined {
  if (owner === undefined) return undefined
  const {kind, name} = owner
  const hash = labels['pod-template-hash']
  if (kind === 'ReplicaSet' && hash !== undefined && name.endsWith(`-${hash}`))
    return `deploy/${name.slice(0, -hash.length - 1)}`
  const run = /^(.+)-\d{8,}$/.exec(name)?.[1]
  if (kind === 'Job' && run !== undefined) return `cj/${run}`
  return `${SHORT[kind] ?? kind.toLowerCase()}/${name}`
}
