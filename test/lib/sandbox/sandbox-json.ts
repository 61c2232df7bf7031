import {z} from 'zod'

const object = z.looseObject({
  kind: z.string().optional(),
  apiVersion: z.string().optional(),
  metadata: z.looseObject({
    name: z.string().default(''),
    namespace: z.string().default(''),
    uid: z.string().default(''),
    labels: z.record(z.string(), z.string()).default({}),
    ownerReferences: z
      .array(z.looseObject({kind: z.string(), name: z.string(), uid: z.string(), controller: z.boolean()}))
      .default([]),
  }),
  spec: z
    .looseObject({
      nodeName: z.string().optional(),
      selector: z.looseObject({matchLabels: z.record(z.string(), z.string()).default({})}).optional(),
      containers: z.array(z.looseObject({name: z.string(), env: z.array(z.unknown()).default([])})).default([]),
    })
    .default({containers: []}),
  status: z.looseObject({podIP: z.string().optional()}).default({}),
  data: z.record(z.string(), z.string()).default({}),
})

const list = z.looseObject({
  kind: z.string(),
  apiVersion: z.string(),
  metadata: z.looseObject({continue: z.string().default(''), remainingItemCount: z.number().optional()}),
  items: z.array(object),
})

const status = z.looseObject({
  kind: z.string().optional(),
  metadata: z.looseObject({continue: z.string().optional()}).default({}),
  status: z.unknown(),
  message: z.string().default(''),
  reason: z.string().optional(),
  code: z.number().optional(),
})

const secret = z.looseObject({
  name: z.string(),
  version_info: z.string().optional(),
  secret: z
    .looseObject({
      tls_certificate: z.looseObject({certificate_chain: z.looseObject({inline_bytes: z.string()})}).optional(),
      validation_context: z.looseObject({trusted_ca: z.looseObject({inline_bytes: z.string()})}).optional(),
    })
    .optional(),
})

const dump = z.looseObject({
  configs: z.array(
    z.looseObject({
      '@type': z.string(),
      bootstrap: z.looseObject({node: z.looseObject({id: z.string()})}).optional(),
      dynamic_active_clusters: z.array(z.unknown()).optional(),
      dynamic_active_secrets: z.array(secret).default([]),
      dynamic_warming_secrets: z.array(secret).default([]),
    }),
  ),
})

/** A secret as Envoy dumps it. */
export type DumpedSecret = z.infer<typeof secret>

/** Reads a list of objects. Throws where it is none. */
export function readList(text: string): z.infer<typeof list> {
  return list.parse(JSON.parse(text))
}

/** Reads the objects that kubectl prints. Throws where there are none. */
export function readObjects(text: string): readonly z.infer<typeof object>[] {
  return z.looseObject({items: z.array(object)}).parse(JSON.parse(text)).items
}

/** Reads an API object. Throws where it is none. */
export function readObject(text: string): z.infer<typeof object> {
  return object.parse(JSON.parse(text))
}

/** Reads a Status. Throws where it is none. */
export function readStatus(text: string): z.infer<typeof status> {
  return status.parse(JSON.parse(text))
}

/** Reads Envoy's config dump. Throws where it is none. */
export function readDump(text: string): z.infer<typeof dump> {
  return dump.parse(JSON.parse(text))
}

/** Reads the list that `resource=` gives, one secret an element. Throws where it is none. */
export function readDumpedSecrets(text: string): readonly DumpedSecret[] {
  return z.looseObject({configs: z.array(secret)}).parse(JSON.parse(text)).configs
}

/** Reads the answer to a question for one's own rights. Throws where it is none. */
export function readReview(text: string): {readonly allowed?: boolean | undefined; readonly resourceRules?: unknown} {
  const review = z.looseObject({
    status: z.looseObject({allowed: z.boolean().optional(), resourceRules: z.unknown().optional()}),
  })
  return review.parse(JSON.parse(text)).status
}

/** Reads a ztunnel's config dump. Throws where it is none. */
export function readZtunnel(text: string) {
  const certificate = z.looseObject({pem: z.string(), serialNumber: z.string()})
  return z
    .looseObject({
      certificates: z.array(z.looseObject({identity: z.string(), state: z.string(), certChain: z.array(certificate)})),
      workloadState: z.record(z.string(), z.looseObject({info: z.looseObject({serviceAccount: z.string()})})),
    })
    .parse(JSON.parse(text))
}

/** Reads what a node agent has handed out. Throws where it is nothing. */
export function readClients(text: string) {
  const client = z.looseObject({resource_name: z.string(), certificate_chain: z.string()})
  return z.looseObject({clients: z.array(client)}).parse(JSON.parse(text)).clients
}

/** Reads any JSON. */
export function readJson(text: string): unknown {
  return JSON.parse(text)
}
