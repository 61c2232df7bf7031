/**
 * A foreign program's words without what looks like a credential: JWTs, bearer tokens, PEM blocks, and values after
 * words such as `token=`. Login programs print their own debugging, and that ends up in terminals and CI logs.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/-----BEGIN [A-Z ]+-----[\s\S]*?(-----END [A-Z ]+-----|$)/g, '***')
    .replace(/\beyJ[\w-]+(\.[\w-]*)*/g, '***')
    .replace(/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***')
    .replace(
      /("?[\w-]*(?:token|password|passwd|secret|credential|api[_-]?key)"?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;}]+)/gi,
      '$1***',
    )
    .replace(/\btoken-[\w.-]+/gi, '***')
}
