import {tmpdir} from 'node:os'
import {openSessions} from '../../src/lib/cluster/connect/open-sessions.ts'
import type {KubeSession} from '../../src/lib/cluster/connect/session.ts'
import {agentctlEnv} from './site.ts'

/** A session of agentctl's own at the cluster, as a context of a kubeconfig. */
export async function openContext(context: string, env = agentctlEnv): Promise<KubeSession> {
  const options = {
    contexts: [context],
    asGroups: [],
    requestTimeoutMs: 30_000,
    env,
    cwd: tmpdir(),
    homeDir: tmpdir(),
    platform: process.platform,
    isTerminal: false,
  }
  const [session] = await openSessions(options, {notice: () => undefined, now: () => Date.now()})
  if (session === undefined) throw new Error(`There is no context ${context}`)
  return session
}
