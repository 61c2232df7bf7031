import type {AgentItem, SecretDiffItem, SecretListItem, SecretShowItem} from '../domain/report.ts'
import {lookAtAgent} from '../flow/look-at-agent.ts'
import {lookAtDiff} from '../flow/look-at-diff.ts'
import {lookAtList} from '../flow/look-at-list.ts'
import {lookAtShow} from '../flow/look-at-show.ts'
import {agentListView} from '../report/views/agent-list.ts'
import {secretDiffView} from '../report/views/secret-diff.ts'
import {secretListView} from '../report/views/secret-list.ts'
import {secretShowView} from '../report/views/secret-show.ts'
import type {PodCommand} from './inspect-pods.ts'

/** `secrets diff` */
export const SECRETS_DIFF: PodCommand<SecretDiffItem> = {
  view: secretDiffView,
  sides: ['agent', 'proxy'],
  roots: true,
  look: lookAtDiff,
  mayBeEmpty: false,
}

/** `secrets list` */
export const SECRETS_LIST: PodCommand<SecretListItem> = {
  view: secretListView,
  sides: ['agent', 'proxy'],
  roots: false,
  look: lookAtList,
  mayBeEmpty: true,
}

/** `secrets show` */
export const SECRETS_SHOW: PodCommand<SecretShowItem> = {
  view: secretShowView,
  sides: ['agent', 'proxy'],
  roots: false,
  look: lookAtShow,
  mayBeEmpty: true,
  single: true,
}

/** `agents list` */
export const AGENTS_LIST: PodCommand<AgentItem> = {
  view: agentListView,
  sides: [],
  roots: false,
  look: (selected) => Promise.resolve(lookAtAgent(selected)),
  mayBeEmpty: true,
}
