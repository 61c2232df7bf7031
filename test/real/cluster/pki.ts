import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {runCommand} from '../run-command.ts'
import {shiftedClock} from '../shifted-clock.ts'

/** A certificate to be signed by the cluster's CA. */
interface Subject {
  readonly name: string
  readonly subject: string
  readonly extensions: readonly string[]
}

const CLIENT = 'extendedKeyUsage=clientAuth'

/** Address of the node and of everything on it, as pods see it: the bridge's. A kubelet refuses a loopback address. */
export const NODE_IP = '10.245.0.1'

const SUBJECTS: readonly Subject[] = [
  {
    name: 'apiserver',
    subject: '/CN=kube-apiserver',
    extensions: ['extendedKeyUsage=serverAuth', `subjectAltName=DNS:localhost,IP:127.0.0.1,IP:${NODE_IP},IP:10.96.0.1`],
  },
  {
    name: 'kubelet-server',
    subject: '/CN=kubelet',
    extensions: ['extendedKeyUsage=serverAuth', `subjectAltName=IP:${NODE_IP}`],
  },
  {name: 'kubelet', subject: '/O=system:nodes/CN=system:node:real', extensions: [CLIENT]},
  {name: 'admin', subject: '/O=system:masters/CN=admin', extensions: [CLIENT]},
  {name: 'apiserver-kubelet-client', subject: '/O=system:masters/CN=apiserver-kubelet-client', extensions: [CLIENT]},
]

/** Makes the cluster's CA, its certificates and the key of its service accounts in `folder`. */
export async function makePki(folder: string): Promise<void> {
  await mkdir(folder, {recursive: true})
  await key(folder, 'ca')
  await openssl(folder, [
    'req',
    '-x509',
    '-new',
    '-key',
    'ca.key',
    '-subj',
    '/CN=real-ca',
    '-days',
    '30',
    '-out',
    'ca.crt',
  ])
  await Promise.all(SUBJECTS.map(async (subject) => await sign(folder, subject)))
  await key(folder, 'sa')
  await openssl(folder, ['ec', '-in', 'sa.key', '-pubout', '-out', 'sa.pub'])
}

async function key(folder: string, name: string): Promise<void> {
  await openssl(folder, ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`])
}

async function sign(folder: string, {name, subject, extensions}: Subject): Promise<void> {
  await key(folder, name)
  await writeFile(join(folder, `${name}.ext`), `${extensions.join('\n')}\n`)
  await openssl(folder, ['req', '-new', '-key', `${name}.key`, '-subj', subject, '-out', `${name}.csr`])
  const ca = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAserial', `${name}.srl`, '-CAcreateserial', '-days', '30']
  await openssl(folder, ['x509', '-req', '-in', `${name}.csr`, ...ca, '-extfile', `${name}.ext`, '-out', `${name}.crt`])
}

/** A day back: clients whose clock is behind, too, are to take the certificates for valid. */
async function openssl(cwd: string, args: readonly string[]): Promise<void> {
  await runCommand(['openssl', ...args], {cwd, env: {...process.env, ...shiftedClock('-1d')}})
}
