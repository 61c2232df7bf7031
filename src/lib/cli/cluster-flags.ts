import {RunError} from '../domain/failure.ts'

/** Flags that only a cluster can serve, each with the value that stands for not given. */
const CLUSTER_ONLY: Readonly<Record<string, unknown>> = {
  context: undefined,
  kubeconfig: undefined,
  cluster: undefined,
  user: undefined,
  token: undefined,
  server: undefined,
  'certificate-authority': undefined,
  'insecure-skip-tls-verify': false,
  'tls-server-name': undefined,
  as: undefined,
  'as-group': undefined,
  'as-uid': undefined,
  'proxy-admin-port': undefined,
  source: undefined,
  'no-source': undefined,
  via: 'auto',
}

/** The names of those flags: a default from the environment gives way to files. */
export const CLUSTER_FLAGS = Object.keys(CLUSTER_ONLY)

/** Flags that ask a cluster for something make no sense beside files. Throws RunError (usage). */
export function refuseClusterFlags(flags: Readonly<Record<string, unknown>>): void {
  const given = CLUSTER_FLAGS.find((name) => name in flags && flags[name] !== CLUSTER_ONLY[name])
  if (given === undefined) return
  throw new RunError(2, 'bad-flag', `--file and --${given} cannot be used together: files are not asked in a cluster`)
}
