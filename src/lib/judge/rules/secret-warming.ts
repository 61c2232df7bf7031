import {BY_DESIGN} from '../../domain/rank.ts'
import {oneLine, type Row} from '../describe-row.ts'
import {ruleOnRows} from '../over-rows.ts'
import {rowFinding} from '../row-finding.ts'
import {isSettled} from '../settled-row.ts'

/** Names that istiod never serves, on purpose (1.26+). */
const WARMS_BY_DESIGN = 'invalid://'

const GATEWAY_HINT = `Check the name in the Gateway's credentialName or certificateRefs, that the Secret is in the
namespace it names, and that a ReferenceGrant allows it where that is another one`.replaceAll('\n', ' ')

/** A secret that the proxy waits for. */
export const secretWarming = ruleOnRows(
  {
    name: 'secret-warming',
    severity: 'fail',
    summary: 'No proxy waits for a secret',
    meaning: 'The proxy asked for the secret and has not been given it yet. Names with invalid:// warm by design.',
    importance: 'The listeners that need it do not serve; a new pod does not become ready.',
    action: 'Look whether the agent can get it: its log, and agentctl check --rule csr-failing,agent-disconnected',
  },
  (row, rule) => {
    const isDiff = 'result' in row
    const isMild = isDiff && row.reason === BY_DESIGN.alsoActive
    if (!isSettled(row) || row.state !== 'WARMING' || row.name.startsWith(WARMS_BY_DESIGN) || isMild) return []
    const why = isDiff && row.reason !== '' ? `, and ${[row.reason, ...row.notes].join('; ')}` : ''
    return [
      rowFinding(rule, row, {
        text: `waits for its first certificate${why}`,
        severity: isDiff ? 'fail' : 'warn',
        ...(row.name.startsWith('kubernetes') && {hint: whereToLook(row) ?? GATEWAY_HINT}),
      }),
    ]
  },
)

/** Who knows that it is not served says which object to look at, by name. */
function whereToLook({notes}: Row): string | undefined {
  const note = notes.find((text) => text.startsWith('see that '))
  return note === undefined ? undefined : oneLine(`See ${note.slice('see '.length)}`)
}
