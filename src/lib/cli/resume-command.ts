/**
 * The user's own command line with a new cursor, ready to paste; the program's name comes first. A token is masked: what
 * is shown ends in logs.
 */
export function resumeCommand(bin: string, commandId: string, argv: readonly string[], cursor: string): string {
  const kept = argv.flatMap((word, index) => {
    const before = argv[index - 1]
    if (before === '--token') return ['***']
    if (word.startsWith('--token=')) return ['--token=***']
    return isCursor(word) || before === '--continue' ? [] : [word]
  })
  return [bin, ...commandId.split(':'), ...kept, '--continue', cursor].map(quote).join(' ')
}

function isCursor(word: string): boolean {
  return word === '--continue' || word.startsWith('--continue=')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
