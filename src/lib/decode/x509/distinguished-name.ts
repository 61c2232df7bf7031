/**
 * A name as `CN=a,O=b`, most specific part first, from Node's lines (one attribute a line, in the certificate's
 * order, with special characters escaped after RFC 2253). `''` for an empty name, which Node leaves undefined.
 */
export function formatDistinguishedName(lines: string | undefined): string {
  if (lines === undefined || lines === '') return ''
  return lines
    .split('\n')
    .map((line) => line.replaceAll(' + ', '+'))
    .toReversed()
    .join(',')
}
