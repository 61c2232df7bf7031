/** The user's own command line with a new cursor, ready to paste; the program's name comes first. */
export function resumeCommand(bin: string, commandId: string, argv: readonly string[], cursor: string): string {
  const kept = argv.filter((word, index) => !isCursor(word) && argv[index - 1] !== '--continue')
  return [bin, ...commandId.split(':'), ...kept, '--continue', cursor].map(quote).join(' ')
}

function isCursor(word: string): boolean {
  return word === '--continue' || word.startsWith('--continue=')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
