import {Ends, startServer, openTestSession, never, thrownBy, answerJson, fixture} from './test/lib/cluster/scripted-server.ts'
import {listPods} from './src/lib/cluster/list-pods.ts'
import {text} from 'node:stream/consumers'
import {gzipSync} from 'node:zlib'
import {WebSocketServer} from 'ws'
import http from 'node:http'; import net from 'node:net'
import {writeFileSync} from 'node:fs'
const ends = new Ends()
const out = (k: string, v: unknown) => console.log(k.padEnd(22), JSON.stringify(v, (_k, x) => x instanceof Error ? {...x, m: x.message} : x)?.slice(0, 300).replace(/127.0.0.1:\d+/g,'127.0.0.1:PORT').replace(/agentctl-test-\w+/,'TMP'))
const step = async (k: string, f: () => Promise<unknown>) => { try { out(k, await f()) } catch (e) { out(k + ' THROWN', e) } }
const server = await startServer(ends, (q, r, n) => {
  if (q.url === '/gz') r.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync('{"a":1}'))
  else if (q.url === '/cut') { r.writeHead(200, {'content-length': 100}); r.write('half', () => r.destroy()) }
  else if (q.url === '/cutgz') { const g = gzipSync('x'.repeat(1000) + Math.random()); r.writeHead(200, {'content-length': g.length, 'content-encoding':'gzip'}); r.write(g.subarray(0, 10), () => r.destroy()) }
  else if (q.url === '/hang') return
  else if (q.url === '/silent') { r.writeHead(200, {'content-length': 100}); r.write('half') }
  else if (q.url?.startsWith('/api/v1')) answerJson(r, {items: [{metadata: {name: 'p' + n, namespace: 'shop'}}], metadata: {continue: n < 40 ? 't' + n : ''}})
  else answerJson(r, {auth: q.headers.authorization, imp: q.headers['impersonate-group'], raw: q.rawHeaders.filter((x, i) => i % 2 === 0 && /impersonate-group/i.test(x)).length})
}, {wantsClient: true})
const wss = new WebSocketServer({noServer: true, handleProtocols: (o) => [...o][0] ?? false})
server.server.on('upgrade', (q, s, h) => {
  if (q.url === '/no') { const b = '{"kind":"Status","message":"User \\"ci\\" cannot"}'; s.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${b.length}\r\n\r\n${b}`) }
  else if (q.url === '/hangup') s.destroy()
  else if (q.url !== '/wait') wss.handleUpgrade(q, s, h, (w) => w.send(Buffer.from([0, 1])))
})
const session = await openTestSession(ends, server.url, {user: {token: 't', as: 'sue', 'as-groups': ['a', 'b']}, options: {requestTimeoutMs: 300}})
const get = async (p: string, s = session) => text((await s.get(p, {signal: never()})).body)
await step('get', () => get('/version')); await step('gz', () => get('/gz')); await step('cut', () => get('/cut')); await step('cutgz', () => get('/cutgz'))
await step('hang', () => get('/hang')); await step('silent', () => get('/silent'))
out('connections', server.connections())
await step('list', async () => { const n = []; for await (const p of listPods(session, {targets: [], namespaces: [], nodes: [], kinds: []}, {chunkSize: 5, contextIndex: 0}).pages(undefined, never())) n.push(...p.pods.map((x) => x.name)); return n.length })
out('connections', server.connections())
await step('upgrade', async () => { const w = await session.upgrade('/x', ['v4.channel.k8s.io'], never()); const m = new Promise((r) => w.once('message', r)); const p = w.isPaused; w.resume(); const got = await m; w.terminate(); return [p, w.protocol, got] })
await step('upgrade no', () => session.upgrade('/no', ['v4.channel.k8s.io'], never()))
await step('upgrade wait', () => session.upgrade('/wait', ['v4.channel.k8s.io'], never()))
await step('upgrade hangup', () => session.upgrade('/hangup', ['v4.channel.k8s.io'], never()))
await step('upgrade abort', () => { const c = new AbortController(); setTimeout(() => c.abort(new Error('enough')), 50); return session.upgrade('/wait', ['x'], c.signal) })
await step('get abort', () => { const c = new AbortController(); setTimeout(() => c.abort(new Error('enough')), 50); return session.get('/hang', {signal: c.signal}) })
await step('client cert', async () => { const s = await openTestSession(ends, server.url, {user: {'client-certificate': fixture('tls/client.pem'), 'client-key': fixture('tls/client-key.pem')}}); await get('/v', s); return server.seen.at(-1)?.client })
await step('unknown ca', async () => get('/v', await openTestSession(ends, server.url, {cluster: {'certificate-authority': undefined}})))
await step('bad name', async () => get('/v', await openTestSession(ends, server.url, {cluster: {'tls-server-name': 'x.test'}})))
await step('insecure', async () => get('/v', await openTestSession(ends, server.url, {options: {insecureSkipTlsVerify: true}})))
const exp = await startServer(ends, (_q, r) => r.end('x'), {certificate: 'expired'}); await step('expired', async () => get('/v', await openTestSession(ends, exp.url)))
const plain = await startServer(ends, (_q, r) => r.end('x'), {certificate: 'none'}); await step('no tls', async () => get('/v', await openTestSession(ends, `https://127.0.0.1:${plain.port}`)))
await step('plain http', async () => get('/v', await openTestSession(ends, plain.url)))
await step('refused', async () => get('/v', await openTestSession(ends, 'https://127.0.0.1:1')))
await step('dns', async () => get('/v', await openTestSession(ends, 'https://nobody.invalid')))
await step('must client', async () => { const https = await import('node:https'); const {readFixture} = await import('./test/lib/cluster/scripted-server.ts'); const s = https.createServer({cert: readFixture('tls/server.pem'), key: readFixture('tls/server-key.pem'), ca: readFixture('tls/ca.pem'), requestCert: true, rejectUnauthorized: true}, (_q, r) => r.end('x')); await new Promise<void>((r) => s.listen(0, '127.0.0.1', () => r())); return get('/v', await openTestSession(ends, `https://127.0.0.1:${(s.address() as net.AddressInfo).port}`)) })
const f = ends.folder(); writeFileSync(f + '/l.sh', '#!/bin/sh\necho "{\\"kind\\":\\"ExecCredential\\",\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"status\\":{\\"token\\":\\"abc\\"}}"\n', {mode: 0o755})
writeFileSync(f + '/bad.sh', '#!/bin/sh\necho oops >&2; exit 3\n', {mode: 0o755})
for (const c of ['l.sh', 'bad.sh']) await step('exec ' + c, async () => get('/v', await openTestSession(ends, server.url, {options: {cwd: '/'}, user: {exec: {apiVersion: 'client.authentication.k8s.io/v1', command: f + '/' + c, interactiveMode: 'Never'}}})))
await step('exec missing', async () => get('/v', await openTestSession(ends, server.url, {options: {cwd: '/'}, user: {exec: {apiVersion: 'client.authentication.k8s.io/v1', command: 'nonono', interactiveMode: 'Never'}}})))
const proxy = http.createServer(); proxy.on('connect', (_q, s: net.Socket) => { const o = net.connect(server.port, '127.0.0.1', () => { s.write('HTTP/1.1 200 ok\r\n\r\n'); s.pipe(o).pipe(s) }); o.on('error', () => {}); s.on('error', () => {}) }); await new Promise<void>((r) => proxy.listen(0, '127.0.0.1', () => r()))
const via = await openTestSession(ends, 'https://api.test:6443', {cluster: {'proxy-url': `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`}})
await step('proxy get', () => get('/v', via)); await step('proxy upgrade', async () => { const w = await via.upgrade('/x', [], never()); w.terminate(); return 'ok' })
const jwt = `${Buffer.from('{}').toString('base64url')}.${Buffer.from('{"exp":2500000000}').toString('base64url')}.x`
await step('oidc', async () => get('/v', await openTestSession(ends, server.url, {user: {'auth-provider': {name: 'oidc', config: {'id-token': jwt}}}})))
process.exit(0)
