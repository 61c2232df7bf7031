/** Where etcd answers. Ports are fixed: the network is this run's own. */
export const ETCD_URL = 'http://127.0.0.1:2379'

/** Takes all older revisions out of etcd: a list's later pages are then gone, as after five minutes elsewhere. */
export async function compact(): Promise<void> {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${ETCD_URL}${path}`, {method: 'POST', body: JSON.stringify(body)})
    if (!answer.ok) throw new Error(`etcd answers ${path} with ${String(answer.status)}: ${await answer.text()}`)
    return await answer.json()
  }
  const {header} = (await post('/v3/maintenance/status', {})) as {readonly header: {readonly revision: string}}
  await post('/v3/kv/compaction', {revision: header.revision, physical: true})
}
