/** The exit codes, the same for every format; help and README are made from this table. */
export const EXIT_CODES = {
  ok: {code: 0, when: 'all selected was seen, and nothing is as bad as --fail-on'},
  findings: {
    code: 1,
    when: 'something is: a confirmed difference, a certificate that is not valid now, a rule that does not hold, or a pod that needs or lacks a root',
  },
  usage: {code: 2, when: 'a wrong flag, argument or cursor'},
  incomplete: {code: 3, when: 'some selected pod, or a part of its answer, could not be seen (1 wins over 3)'},
  nothing: {
    code: 4,
    when: 'nothing could be seen: no cluster, no permission, no answer; for check, secrets diff, and questions on a root, also nothing selected',
  },
  bug: {code: 70, when: 'a bug in agentctl'},
  interrupted: {code: 130, when: 'interrupted'},
} as const satisfies Record<string, {readonly code: number; readonly when: string}>
