import {ruleOnRows} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** A private key that stands where a certificate belongs. It was taken out before anything was kept. */
export const keyInCertificate = ruleOnRows(
  {
    name: 'key-in-certificate',
    severity: 'fail',
    summary: 'No private key stands where a certificate belongs',
    meaning: 'A certificate chain or a CA bundle holds a private key. It is not shown, and was not kept.',
    importance: 'Whoever reads the dump of the proxy, or is shown the chain, has the key.',
    action: 'Take the key out of the bundle, and replace it: it is no secret any more',
    lasts: true,
  },
  (row, rule) =>
    row.keyFound
      ? [rowFinding(rule, row, {text: 'a private key stands where a certificate belongs; replace that key'})]
      : [],
)
