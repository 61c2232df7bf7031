import type {Answer, AnswerPart} from '../../domain/answer.ts'
import type {ProbeError} from '../../domain/failure.ts'
import type {ClusterRoleSeen, PolicyRule, RoleBinding, RoleBindingsSeen} from '../../domain/roles-seen.ts'
import type {Observation} from '../../domain/observation.ts'
import {contentError, type Subject} from '../content-error.ts'
import {isRecord, type JsonRecord, recordField, recordsField, textField} from '../json/narrow.ts'
import {readJson} from '../json/read-json.ts'
import {readParts} from '../read-parts.ts'
import {spokenBy} from '../spoken.ts'
import {readList} from './read-list.ts'

type Seen = Omit<RoleBindingsSeen, 'by'> | Omit<ClusterRoleSeen, 'by'>

/**
 * A page of the ClusterRoleBindings, or one ClusterRole, as the Kubernetes API has them. A role that there is not gives
 * nobody a right, and a cluster without RBAC has neither: of a 404 nothing is observed.
 */
export async function decodeRoles(answer: Answer): Promise<readonly Observation[]> {
  const seen: Seen[] = []
  const {unusable, dated} = await readParts(answer, async (part, {report}) => {
    if (part.status === 404) return
    const isList = /\/clusterrolebindings(?:\?|$)/.test(part.path)
    seen.push(isList ? await readBindings(part, report) : await readRole(part))
  })
  const by = spokenBy(answer, dated)
  return [...seen.map((one) => ({...one, by})), ...unusable]
}

async function readBindings(part: AnswerPart, report: (error: ProbeError) => void): Promise<Seen> {
  const bindings: RoleBinding[] = []
  const subject = {name: 'list of ClusterRoleBindings', part}
  const next = await readList(subject, (object) => bindings.push(...readBinding(object)), report)
  return {type: 'role-bindings', bindings, ...(next !== '' && {next})}
}

/** A binding to service accounts or groups; one to users alone is nothing here. */
function readBinding(object: JsonRecord): readonly RoleBinding[] {
  const name = textField(recordField(object, 'metadata') ?? {}, 'name')
  const role = textField(recordField(object, 'roleRef') ?? {}, 'name')
  const subjects = recordsField(object, 'subjects')
  const namesOf = (kind: string): readonly string[] =>
    subjects.filter((one) => textField(one, 'kind') === kind).flatMap((one) => nameOf(one, kind))
  const [accounts, groups] = [namesOf('ServiceAccount'), namesOf('Group')]
  if (name === undefined || role === undefined || accounts.length + groups.length === 0) return []
  return [{name, role, accounts, groups}]
}

function nameOf(subject: JsonRecord, kind: string): readonly string[] {
  const name = textField(subject, 'name')
  if (name === undefined) return []
  return [kind === 'Group' ? name : `${textField(subject, 'namespace') ?? ''}/${name}`]
}

async function readRole(part: AnswerPart): Promise<Seen> {
  const subject: Subject = {name: 'ClusterRole', part}
  const {value} = await readJson(subject)
  const name = isRecord(value) ? textField(recordField(value, 'metadata') ?? {}, 'name') : undefined
  if (!isRecord(value) || name === undefined) throw contentError(subject, 'bad-payload', 'it is no ClusterRole')
  return {type: 'cluster-role', name, rules: recordsField(value, 'rules').map(readRule)}
}

function readRule(rule: JsonRecord): PolicyRule {
  return {
    verbs: textsField(rule, 'verbs'),
    groups: textsField(rule, 'apiGroups'),
    resources: textsField(rule, 'resources'),
    isOfNamed: textsField(rule, 'resourceNames').length > 0,
    paths: textsField(rule, 'nonResourceURLs'),
  }
}

function textsField(record: JsonRecord, name: string): readonly string[] {
  const value = record[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
