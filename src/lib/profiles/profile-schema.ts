import * as z from 'zod'
import {SOURCE_NAMES} from '../domain/question.ts'
import {forbiddenInDebug} from './forbidden-in-debug.ts'

const text = z.string().min(1).max(500)
const port = z.int().min(1).max(65_535)

/** What a label, an annotation, a variable or an owner's name must be; a plain text means: exactly this. */
const condition = z.union([
  z.string(),
  z.strictObject({exists: z.boolean().describe('present at all, or absent')}),
  z.strictObject({oneOf: z.array(z.string()).min(1).describe('present, and one of these')}),
  z.strictObject({noneOf: z.array(z.string()).min(1).describe('present, and none of these')}),
  z.strictObject({prefix: text.describe('present, and begins with this')}),
  z.strictObject({lists: text.describe('a JSON list, or a list with commas, that has this item')}),
])
const conditions = z.record(text, condition)

/** Where a pod says something of itself. `field` reads inside a JSON or YAML value; the first one present counts. */
const origin = z.union([
  z.strictObject({label: text}),
  z.strictObject({
    annotation: text,
    format: z.enum(['json', 'yaml']).exactOptional(),
    fields: z.array(text).exactOptional(),
  }),
  z.strictObject({env: text, format: z.enum(['json', 'yaml']).exactOptional(), fields: z.array(text).exactOptional()}),
  z.strictObject({arg: text.describe('`--flag value` or `--flag=value`')}),
])
const origins = z.array(origin).min(1)

const container = z
  .strictObject({
    names: z.array(text).exactOptional().describe('any of these names'),
    listedIn: z
      .strictObject({annotation: text, fields: z.array(text).min(1)})
      .exactOptional()
      .describe('or a name that a JSON annotation lists, for renamed containers'),
    args: z.array(text).exactOptional().describe('the arguments begin with these'),
    withoutArgs: z.array(text).exactOptional().describe('the arguments do not begin with these'),
    env: conditions.exactOptional(),
    mounts: z.array(text).exactOptional().describe('mounts all of these volumes, by the name of the volume'),
  })
  .describe('the agent’s container: all of these hold; init containers that end do not count')

const recognition = z.strictObject({
  because: text.describe('said to the user; {container} stands for its name'),
  labels: conditions.exactOptional(),
  annotations: conditions.exactOptional(),
  owner: z.strictObject({kind: text.exactOptional(), name: condition.exactOptional()}).exactOptional(),
  container,
})

const admin = z.union([
  z.strictObject({port, from: origins.exactOptional()}),
  z.strictObject({
    socket: z
      .strictObject({volume: text, directory: text, file: text})
      .describe('a file in a volume; `directory` where the mount is not found'),
  }),
  z.strictObject({off: text.describe('why there is none')}),
])

const mount = z.strictObject({
  path: text.describe('where in the container'),
  volumes: z.array(text).min(1).describe('kinds of volume that count (secret, projected, csi, …)'),
})

const certificates = z.strictObject({
  directory: z.union([
    origin.describe('the agent writes or reads its certificates there'),
    z.strictObject({mount, volume: condition.exactOptional().describe('name of the volume')}),
    z.strictObject({path: text, env: conditions}),
  ]),
  chain: text,
  roots: text,
})

const sds = z.union([
  z.strictObject({
    sockets: z
      .array(z.string().regex(/^\/[\w\-./]+$/))
      .min(1)
      .describe('paths in the agent’s container, newest version first'),
  }),
  z.strictObject({
    off: text.describe('why there is none'),
    instead: text.exactOptional().describe('what to ask in its place'),
  }),
])

const trust = z.strictObject({
  default: text.describe('who hands out certificates and roots'),
  others: z
    .array(
      z.strictObject({
        name: text,
        tellsExpiry: z
          .boolean()
          .exactOptional()
          .describe('false where the agent’s metrics say nothing of such certificates'),
        ownsSocket: z.boolean().exactOptional().describe('true where the SDS socket is its own, and not the agent’s'),
        env: conditions.exactOptional(),
        mount: mount.exactOptional(),
        address: z
          .strictObject({env: text, hosts: z.array(text), sameAs: origin.exactOptional()})
          .exactOptional()
          .describe('an address whose host begins with none of `hosts`, and that is not also named by `sameAs`'),
      }),
    )
    .exactOptional()
    .describe('the first whose conditions all hold'),
})

const debugPath = z
  .string()
  .regex(/^\/[a-zA-Z0-9_\-./]*$/)
  .refine((path) => forbiddenInDebug(path, []) === undefined, 'changes, drains, profiles or runs a hook')
const debugKeys = z
  .array(z.string().regex(/^[a-zA-Z0-9_-]+$/))
  .refine((keys) => forbiddenInDebug('/', keys) === undefined, 'changes something')

const source = z.enum(SOURCE_NAMES)

/** A kind of agent: how its pods are known, where its interfaces are, and what may be read there. */
export const profileSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
    summary: text,
    priority: z.int().describe('of all kinds that know a pod, the highest takes it'),
    recognise: z.array(recognition).min(1).describe('in order; the first that holds names the container'),
    captured: z
      .boolean()
      .exactOptional()
      .describe('a pod whose traffic its node’s proxy carries: none of its containers is an agent'),
    dialect: z.enum(['envoy', 'ztunnel', 'none']),
    admin,
    execHttp: z.boolean().describe('whether the image is known to hold a program that can ask HTTP by exec'),
    status: z
      .strictObject({
        port,
        from: origins.exactOptional(),
        loopbackWhen: conditions.exactOptional().describe('variables with which it answers the pod itself alone'),
      })
      .exactOptional()
      .describe('the agent’s own port; a 0 in the pod switches it off'),
    health: z
      .array(
        z.strictObject({
          side: z.enum(['agent', 'proxy']),
          port: z.union([z.literal('admin'), z.literal('status'), port]),
          binds: z.enum(['loopback', 'pod']),
          path: z.string().regex(/^\/[\w\-./]*$/),
        }),
      )
      .exactOptional()
      .describe('endpoints that say by their status whether a side is ready'),
    options: z
      .array(
        z.strictObject({
          from: origin,
          is: z.enum(['duration', 'share', 'yaml', 'directory']).describe('what its value has to be'),
        }),
      )
      .exactOptional()
      .describe('options of the agent whose values are looked at, beside ports'),
    nodeAgent: z
      .strictObject({container: text.describe('container that must be there'), port, portEnv: text, path: text})
      .exactOptional()
      .describe('a legacy node agent’s debug server in this pod'),
    elsewhere: z
      .array(
        z.strictObject({
          source: z.enum([
            'node-agent-debug',
            'istiod-config-dump',
            'istiod-metrics',
            'istiod-syncz',
            'ztunnel-config-dump',
          ]),
          when: z
            .strictObject({
              mount: mount.exactOptional().describe('the agent mounts it'),
              secrets: z
                .array(text)
                .min(1)
                .exactOptional()
                .describe('its proxy has a secret that begins with one of these'),
            })
            .describe('all of these hold of this pod'),
          pods: z
            .strictObject({
              labels: text,
              onNode: z.boolean().describe('on this pod’s node alone'),
              ofRevision: z.boolean().describe('of this pod’s revision, where there are any'),
            })
            .describe('pods of the Istio namespace that speak for this one'),
          container: text,
          port: z.union([port, z.literal('metrics')]).describe('`metrics`: as its annotation says, else 15014'),
          paths: z
            .array(text)
            .min(1)
            .describe('asked in order; {proxy} stands for POD.NAMESPACE, and makes the answer this pod’s alone'),
          execHttp: z.boolean(),
        }),
      )
      .exactOptional()
      .describe('sources that another pod answers for this one'),
    graceRatio: origin.exactOptional().describe('share of a certificate’s life that is left when it is renewed'),
    certificates: z.array(certificates).exactOptional(),
    sds: sds.exactOptional().describe('where the agent serves its secrets to its proxy'),
    trust,
    revision: origins.exactOptional(),
    discovery: origins
      .exactOptional()
      .describe('the address of the istiod that its proxy is given, where the pod names one'),
    sources: z.array(source).describe('what can be asked, cheapest first'),
    debug: z
      .array(
        z.strictObject({
          port: z.union([z.literal('admin'), z.literal('status'), port]),
          binds: z.enum(['loopback', 'pod']),
          paths: z.record(debugPath, debugKeys).describe('path, and the query keys that may go with it'),
        }),
      )
      .describe('what `debug get` may read'),
  })
  .meta({title: 'Kind of agent'})

/** How a kind of agent is written: with `extends`, every top-level key may be left to the other kind. */
export const profileFileSchema = profileSchema
  .partial()
  .extend({name: profileSchema.shape.name, extends: profileSchema.shape.name.exactOptional()})
  .meta({title: 'Kind of agent, as a file'})

export type Profile = z.infer<typeof profileSchema>
export type Condition = z.infer<typeof condition>
export type Origin = z.infer<typeof origin>
export type OptionValue = NonNullable<Profile['options']>[number]['is']
export type RecognitionRule = z.infer<typeof recognition>
export type ContainerCondition = z.infer<typeof container>
export type VolumeMountCondition = z.infer<typeof mount>
