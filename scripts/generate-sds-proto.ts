import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import protobuf from 'protobufjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = join(root, 'src/lib/cluster/sds/sds.descriptor.json')
const entry = join(root, 'proto/sds.proto')

/** Envoy's public protos, and those that they import, as packages carry them (proto/README.md). */
const packages = [
  ...['envoy-api', 'xds', 'googleapis', 'protoc-gen-validate'].map((name) => `@grpc/grpc-js-xds/deps/${name}`),
  'protobufjs',
].map((path) => join(root, 'node_modules', path))

/**
 * The fields that are taken of each message; all others are unknown to who decodes with the descriptor, and skipped.
 * Above all there is no `private_key`.
 */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  '.envoy.service.discovery.v3.DiscoveryRequest': ['node', 'resource_names', 'type_url'],
  '.envoy.config.core.v3.Node': ['id'],
  '.envoy.service.discovery.v3.DiscoveryResponse': ['version_info', 'resources', 'type_url'],
  '.google.protobuf.Any': ['type_url', 'value'],
  '.envoy.extensions.transport_sockets.tls.v3.Secret': ['name', 'tls_certificate', 'validation_context'],
  '.envoy.extensions.transport_sockets.tls.v3.TlsCertificate': ['certificate_chain'],
  '.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext': ['trusted_ca'],
  '.envoy.config.core.v3.DataSource': ['filename', 'inline_bytes', 'inline_string', 'environment_variable'],
}

/** Texts that are taken as the bytes they are on the wire, so that no string is made of them before they are scrubbed. */
const AS_BYTES = ['.envoy.config.core.v3.DataSource.inline_string']

const text = format(JSON.stringify(await prune()))
if (process.argv.includes('--check')) {
  if (!existsSync(output) || readFileSync(output, 'utf8') !== text) {
    process.stderr.write(`${output} is out of date; run node scripts/generate-sds-proto.ts\n`)
    process.exitCode = 1
  }
} else {
  writeFileSync(output, text)
}

/** A descriptor, as `Root.fromJSON` reads it, of what the entry reaches by the taken fields. */
async function prune(): Promise<protobuf.INamespace> {
  const all = new protobuf.Root()
  all.resolvePath = (_origin, target) =>
    [target, ...packages.map((directory) => join(directory, target))].find((path) => existsSync(path)) ?? target
  await all.load(entry, {keepCase: true})
  all.resolveAll()
  const pruned: protobuf.INamespace = {nested: {}}
  const begin = all.lookupType('agentctl.sds.Spoken').fieldsArray.map(typeOf)
  const reached = new Set(begin.filter((type) => type !== undefined))
  for (const type of reached) {
    const fields = TAKEN[type.fullName]
    if (fields === undefined) throw new Error(`Say which fields of ${type.fullName} are taken`)
    const taken = fields.map((name) => fieldOf(type, name))
    for (const next of taken.map(typeOf)) if (next !== undefined) reached.add(next)
    add(pruned, type.fullName.slice(1).split('.'), {
      edition: 'proto3',
      fields: Object.fromEntries(taken.map((field) => [field.name, describe(field)])),
    })
  }
  const unused = Object.keys(TAKEN).find((name) => ![...reached].some(({fullName}) => fullName === name))
  if (unused !== undefined) throw new Error(`${unused} is not reached`)
  return pruned
}

/** Throws for a field that is not there, and for one that Envoy itself marks as a secret. */
function fieldOf(type: protobuf.Type, name: string): protobuf.Field {
  const field = type.fields[name]
  if (field === undefined) throw new Error(`${type.fullName} has no field ${name}`)
  if (field.options?.['(udpa.annotations.sensitive)'] === true) {
    throw new Error(`${type.fullName}.${name} is sensitive, and never to be decoded`)
  }
  return field
}

function typeOf(field: protobuf.Field): protobuf.Type | undefined {
  const {resolvedType} = field.resolve()
  return resolvedType instanceof protobuf.Type ? resolvedType : undefined
}

function describe(field: protobuf.Field): protobuf.IField {
  const rule = field.repeated ? {rule: 'repeated'} : {}
  const type = AS_BYTES.includes(field.fullName) ? 'bytes' : (typeOf(field)?.fullName ?? field.type)
  return {...rule, type, id: field.id}
}

/** Puts a type where its full name says. */
function add(to: protobuf.INamespace, path: readonly string[], type: protobuf.IType): void {
  const [name = '', ...rest] = path
  const nested = (to.nested ??= {})
  if (rest.length === 0) nested[name] = type
  else add((nested[name] ??= {nested: {}}), rest, type)
}

function format(json: string): string {
  const oxfmt = join(root, 'node_modules/.bin/oxfmt')
  return execFileSync(oxfmt, ['--stdin-filepath', output], {cwd: root, input: json, encoding: 'utf8'})
}
