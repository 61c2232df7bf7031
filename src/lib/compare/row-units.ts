import type {SecretDiffRow} from '../domain/row.ts'

export type Unit = readonly SecretDiffRow[]

/** Rows that are one finding: a secret whose sides differ is the agent's row and then the proxy's. */
export function rowUnits(rows: readonly SecretDiffRow[]): readonly Unit[] {
  const found: Unit[] = []
  for (let index = 0; index < rows.length; index += 1) {
    const [row, next] = [rows[index], rows[index + 1]]
    if (row === undefined) continue
    const isPair = next !== undefined && isHalf(row, 'agent') && isHalf(next, 'proxy')
    found.push(isPair ? [row, next] : [row])
    if (isPair) index += 1
  }
  return found
}

function isHalf({result, type, agent, proxy}: SecretDiffRow, side: 'agent' | 'proxy'): boolean {
  if (result !== 'MISMATCH' || type === 'CA' || type === 'SPIFFE Bundle') return false
  return side === 'agent' ? agent !== '' && proxy === '' : agent === '' && proxy !== ''
}
