import {refusedText} from '../../domain/secret.ts'
import {ruleOnRows} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'

/** An update that the proxy refused; only a warning where the proxy holds what its agent has all the same. */
export const secretRejected = ruleOnRows(
  {
    name: 'secret-rejected',
    severity: 'fail',
    summary: 'No proxy refused the last update of a secret',
    meaning: `The proxy was sent a secret that it could not take up, and kept what it had. A warning where it holds what
its agent has all the same.`,
    importance: 'It goes on with the old certificate until that ends.',
    action: 'Mend what the message names at its origin: a key that is of another certificate, a damaged chain',
  },
  (row, rule) =>
    row.rejected === undefined
      ? []
      : [
          rowFinding(rule, row, {
            text: refusedText(row.rejected),
            severity: 'result' in row && row.result === 'MATCH' ? 'warn' : 'fail',
          }),
        ],
)
