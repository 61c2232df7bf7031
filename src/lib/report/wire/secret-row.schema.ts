import {z} from 'zod'

export const certificateStatus = z
  .enum(['VALID', 'EXPIRED', 'NOT_YET_VALID', 'INVALID', 'UNKNOWN', 'EMPTY'])
  .describe('State of the certificate: INVALID cannot be read, UNKNOWN is not in the answer, EMPTY is not there.')

export const publicKey = z
  .object({
    type: z.enum(['RSA', 'EC', 'Ed25519', 'Ed448', 'DSA', 'unknown']).describe('Kind of the public key.'),
    size: z.int().optional().describe('Its size in bits.'),
    curve: z.string().optional().describe('Its curve, e.g. P-256.'),
    fingerprint_sha256: z
      .string()
      .optional()
      .describe(
        'SHA-256 of its SubjectPublicKeyInfo (DER): stays the same where a certificate is renewed with its key.',
      ),
  })
  .describe('The public key.')

const time = (text: string) => z.string().describe(`${text}, RFC 3339 in UTC.`)

const certificateFields = {
  subject: z.string().optional().describe('Name of whom it is for, most specific part first.'),
  issuer: z.string().optional().describe('Name of who signed it.'),
  sans: z.array(z.string()).optional().describe('Alternative names: URI:…, DNS:…, IP:…, email:….'),
  spiffe_id: z.string().optional().describe('The first SPIFFE id among the alternative names.'),
  key: publicKey.optional(),
  usages: z
    .array(z.string())
    .optional()
    .describe('What the key may be used for, basic and extended, e.g. digitalSignature, serverAuth; empty: no limit.'),
  fingerprint_sha256: z.string().optional().describe('SHA-256 of the DER, lower-case hex.'),
}

export const chainEntry = z
  .object({
    position: z.enum(['leaf', 'intermediate', 'root']).describe('Its place in the order of trust.'),
    cert_status: certificateStatus,
    cert_status_reason: z.string().optional().describe('What is wrong with it.'),
    serial_number: z.string().optional().describe('Serial number, lower-case hex with an even number of digits.'),
    not_before: time('First second of validity').optional(),
    not_after: time('Last second of validity').optional(),
    ...certificateFields,
  })
  .describe('A further certificate of the chain.')

/** Fields of a row after those that say how it compares: in this order. */
export const secretFields = {
  state: z
    .enum(['ACTIVE', 'WARMING', 'UNINITIALIZED', 'UNAVAILABLE', 'STATIC', ''])
    .describe("The proxy's state; empty for an agent's secret."),
  cert_valid: z.boolean().describe('True where cert_status is VALID, and only there.'),
  cert_status: certificateStatus.optional(),
  cert_status_reason: z.string().optional().describe('What is wrong with the certificate or its chain.'),
  serial_number: z
    .string()
    .describe('Serial number, lower-case hex with an even number of digits; empty where there is none.'),
  not_before: z.string().describe('First second of validity, RFC 3339 in UTC; empty where it is not known.'),
  not_after: z.string().describe('Last second of validity, RFC 3339 in UTC; empty where it is not known.'),
  seconds_left: z.int().optional().describe('Whole seconds until not_after; negative once it is over.'),
  trust_domain: z.string().describe('Trust domain; empty where there is none.'),
  source: z.string().describe("Name of the node agent's pod; empty where there is none."),
  destination: z.string().describe("The proxy's node id; empty where the answer does not say it."),
  ...certificateFields,
  chain: z.array(chainEntry).describe('The rest of a chain, in order of trust.'),
  parts: z.int().optional().describe('Number of parts of a generic or ticket-key secret.'),
  rejected: z
    .object({
      at: z.string().optional().describe('When, as the proxy wrote it.'),
      details: z.string().describe("Why, in the proxy's words, or by what it is known."),
    })
    .optional()
    .describe('An update that the proxy refused while it kept what it had.'),
  key_found: z.boolean().optional().describe('True where a private key stands in place of a certificate.'),
  origin: z.string().optional().describe('Where a certificate stands that is no secret, e.g. listener virtualInbound.'),
  loaded: z
    .boolean()
    .optional()
    .describe(
      "Whether a TLS context of the proxy has loaded this certificate (Envoy's /certs, by serial and dates); absent where it was not asked, or cannot tell.",
    ),
  other_loaded: z
    .array(
      z.object({
        serial_number: z.string().optional().describe('Serial number, lower-case hex with an even number of digits.'),
        not_before: time('First second of validity').optional(),
        not_after: time('Last second of validity'),
      }),
    )
    .optional()
    .describe('Certificates of the same names that TLS contexts have loaded and no secret holds.'),
  last_updated: z.string().optional().describe("When the proxy took it up, by the proxy's clock."),
  notes: z.array(z.string()).optional().describe('Things worth saying that are no fault.'),
  cert: z
    .string()
    .optional()
    .describe(
      'The PEM of the certificate and the rest of its chain; empty where there is none, absent with --no-cert.',
    ),
}

export const secretType = z
  .enum(['Cert Chain', 'CA', 'SPIFFE Bundle', 'Ticket Keys', 'Generic', 'Unknown'])
  .describe('What it is, from where the secret stands.')

const secretPart = z.object({
  resource_name: z.string().describe('Name of the secret.'),
  type: secretType,
  ...secretFields,
})

/** What rows of either kind say of one secret, as it is written. */
export type SecretPartWire = z.infer<typeof secretPart>

export type ChainEntryWire = z.infer<typeof chainEntry>
