import type {Certificate} from '../../domain/certificate.ts'
import {certificateParts} from '../certificate-parts.ts'
import {ruleOnRows} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** Bits below which a key is taken to be too short (NIST SP 800-57, part 1; CA/Browser Forum Baseline Requirements, 6.1.5). */
const SHORTEST_RSA = 2048
const SHORTEST_EC = 256

/** A key or a signature that is too weak for today. */
export const weakKey = ruleOnRows(
  {
    name: 'weak-key',
    severity: 'warn',
    summary: 'No certificate has a weak key or signature',
    meaning: `A certificate has an RSA key below 2048 bits, an EC key below 256 bits or a DSA key, or is signed over SHA-1 or
MD5. The signature of a root does not count: it is trusted for being there.`,
    importance: 'Newer TLS libraries refuse it, and who has the means can forge it.',
    action: 'Issue it anew with EC P-256 or RSA 2048 and SHA-256',
    lasts: true,
  },
  (row, rule) =>
    certificateParts(row).flatMap(({certificate}, index) => {
      if (!certificate.readable) return []
      // A root in a chain stands in the bundle too.
      if (index > 0 && certificate.position === 'root') return []
      return weaknesses(certificate).map((text) =>
        rowFinding(rule, row, {text: `${certificate.position} ${text}`, severity: 'warn'}),
      )
    }),
)

function weaknesses({key: {type, size}, weakHash, selfSigned}: Certificate): readonly string[] {
  const bits = size ?? Number.POSITIVE_INFINITY
  const isShort = (type === 'RSA' && bits < SHORTEST_RSA) || (type === 'EC' && bits < SHORTEST_EC)
  return [
    ...(type === 'DSA' ? ['has a DSA key'] : []),
    ...(isShort ? [`has an ${type} key of ${bits} bits`] : []),
    ...(weakHash === undefined || selfSigned ? [] : [`is signed over ${weakHash}`]),
  ]
}
