/** Service accounts: there is no controller manager that makes any. */
export function serviceAccounts(namespace: string, names: readonly string[]): readonly object[] {
  return names.map((name) => ({apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name, namespace}}))
}
