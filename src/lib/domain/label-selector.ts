/** One condition on labels, with the operators of Kubernetes. `Gt` and `Lt` compare whole numbers. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'
  readonly values: readonly string[]
}

const KEY = String.raw`[\w.\-/]+`
const SET = new RegExp(String.raw`^(${KEY})\s+(in|notin)\s*\(([^()]*)\)$`)
const COMPARISON = new RegExp(String.raw`^(${KEY})\s*(==|=|!=|>|<)\s*([\w.\-]*)$`)
const PRESENCE = new RegExp(String.raw`^(!?)\s*(${KEY})$`)

const SIGNS = {'=': 'In', '==': 'In', '!=': 'NotIn', '>': 'Gt', '<': 'Lt'} as const

/**
 * The requirements of a selector as the API server reads it: `app=cart,tier in (web,api),!canary`. Of a text that is
 * none it is the part that cannot be read.
 */
export function parseLabelSelector(
  text: string,
): {readonly requirements: readonly LabelRequirement[]} | {readonly unreadable: string} {
  const parts = text
    .split(/,(?![^()]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const requirements: LabelRequirement[] = []
  for (const part of parts) {
    const requirement = parseRequirement(part)
    if (requirement === undefined) return {unreadable: part}
    requirements.push(requirement)
  }
  return {requirements}
}

function parseRequirement(text: string): LabelRequirement | undefined {
  const [, member, word, list] = SET.exec(text) ?? []
  if (member !== undefined && list !== undefined) {
    const values = list.split(',').map((value) => value.trim())
    return {key: member, operator: word === 'in' ? 'In' : 'NotIn', values}
  }
  const [, key, sign, value] = COMPARISON.exec(text) ?? []
  if (key !== undefined && value !== undefined && isSign(sign)) return {key, operator: SIGNS[sign], values: [value]}
  const [, not, present] = PRESENCE.exec(text) ?? []
  return present === undefined
    ? undefined
    : {key: present, operator: not === '' ? 'Exists' : 'DoesNotExist', values: []}
}

function isSign(text: string | undefined): text is keyof typeof SIGNS {
  return text !== undefined && Object.hasOwn(SIGNS, text)
}

/** Whether labels meet all requirements, by Kubernetes' rules: a missing key meets `NotIn`. */
export function matchesLabels(
  labels: Readonly<Record<string, string>>,
  requirements: readonly LabelRequirement[],
): boolean {
  return requirements.every((requirement) => {
    const {key} = requirement
    return isMet(requirement, Object.hasOwn(labels, key) ? labels[key] : undefined)
  })
}

function isMet({operator, values}: LabelRequirement, value: string | undefined): boolean {
  if (operator === 'NotIn') return value === undefined || !values.includes(value)
  if (operator === 'DoesNotExist') return value === undefined
  if (value === undefined) return false
  if (operator === 'Exists') return true
  if (operator === 'In') return values.includes(value)
  const [bound = ''] = values
  return operator === 'Gt' ? Number(value) > Number(bound) : Number(value) < Number(bound)
}
