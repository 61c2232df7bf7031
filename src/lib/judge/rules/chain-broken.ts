import type {SecretShowRow} from '../../domain/row.ts'
import {defineRule} from '../define-rule.ts'
import {chainsOf} from '../mesh-identity.ts'
import {missingCertificates} from '../missing-evidence.ts'
import {rowFinding} from '../row-finding.ts'
import type {PodRule} from '../rule.ts'

/** A chain in which a certificate stands that did not sign the one before it. */
export const chainBroken: PodRule = defineRule<PodRule>({
  name: 'chain-broken',
  scope: 'pod',
  severity: 'fail',
  summary: 'In every chain each certificate is signed by the next',
  meaning: `A certificate of the chain is not signed by the one that follows it, and not by any other of the chain, nor by
a root that its side trusts. A chain that ends before its root is not broken: whoever verifies it has the root.`,
  importance: 'Whoever is shown it cannot follow it to a root, and refuses the connection.',
  action: 'Put the certificates that lie between leaf and root behind the leaf, in order, where the chain comes from',
  sources: ['envoy-config-dump', 'ztunnel-config-dump', 'agent-files', 'kubernetes-secret'],
  lasts: true,
  judge(seen) {
    const chains = chainsOf(seen)
    const findings = chains.flatMap((row) => {
      const text = whereBroken(row)
      return text === undefined ? [] : [rowFinding(chainBroken, row, {text})]
    })
    if (findings.length > 0) return findings
    const lost = missingCertificates(seen)
    if (lost !== undefined) return lost
    const isKnown =
      chains.length === 0 ||
      chains.some(({certificate}) => certificate?.readable === true && certificate.fingerprint !== undefined)
    return isKnown ? [] : {cause: 'scope', reason: 'only facts of its certificates are known, not the certificates'}
  },
})

/** The first certificate that nobody after it has signed, in words; undefined where signatures carry on. */
function whereBroken({certificate, chain, check}: SecretShowRow): string | undefined {
  if (check === undefined || check.end !== 'issuer-not-included' || check.verified === true) return undefined
  const blocks = [certificate, ...chain.map((link) => link.certificate)]
  const at = check.signedByNext.indexOf(false)
  const [before, after] = [blocks[at], blocks[at + 1]]
  if (before?.readable !== true || after?.readable !== true) return undefined
  // Two certificates of one CA, signed by different roots: each is a way of its own.
  if (before.subject === after.subject && before.position !== 'leaf') return undefined
  return `${before.position} is signed by ${nameOf(before.issuer)}, and ${nameOf(after.subject)} follows it`
}

function nameOf(name: string): string {
  return name === '' ? 'a CA without a name' : name
}
