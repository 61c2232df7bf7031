import type {AgentItem, CheckItem, RootsItem, SecretDiffItem, SecretListItem, SecretShowItem} from '../domain/report.ts'
import {foldCheck} from '../flow/fold-check.ts'
import {lookAtAgent} from '../flow/look-at-agent.ts'
import {lookAtCheck} from '../flow/look-at-check.ts'
import {lookAtDiff} from '../flow/look-at-diff.ts'
import {lookAtList} from '../flow/look-at-list.ts'
import {foldRoots, lookAtRoots} from '../flow/look-at-roots.ts'
import {lookAtShow} from '../flow/look-at-show.ts'
import {agentListView} from '../report/views/agent-list.ts'
import {rootListView} from '../report/views/root-list.ts'
import {secretDiffView} from '../report/views/secret-diff.ts'
import {secretListView} from '../report/views/secret-list.ts'
import {RULES} from '../judge/catalogue.ts'
import {checkReportView} from '../report/views/check-report.ts'
import {secretShowView} from '../report/views/secret-show.ts'
import type {PodCommand} from './pod-command.ts'

/** `secrets diff` */
export const SECRETS_DIFF: PodCommand<SecretDiffItem> = {
  view: secretDiffView,
  sides: ['agent', 'proxy'],
  purpose: 'diff',
  look: lookAtDiff,
  mayBeEmpty: false,
}

/** `secrets list` */
export const SECRETS_LIST: PodCommand<SecretListItem> = {
  view: secretListView,
  sides: ['agent', 'proxy'],
  purpose: 'list',
  look: lookAtList,
  mayBeEmpty: true,
}

/** `secrets show` */
export const SECRETS_SHOW: PodCommand<SecretShowItem> = {
  view: secretShowView,
  sides: ['agent', 'proxy'],
  purpose: 'list',
  look: lookAtShow,
  mayBeEmpty: true,
  single: true,
}

/** `secrets roots` */
export const SECRETS_ROOTS: PodCommand<RootsItem> = {
  view: rootListView,
  sides: ['agent', 'proxy'],
  purpose: 'mesh-roots',
  look: lookAtRoots,
  fold: ({roots, certificates, nowMs}) => foldRoots(roots, certificates, nowMs),
  mayBeEmpty: true,
}

/** `check` */
export const CHECK: PodCommand<CheckItem> = {
  view: checkReportView(RULES),
  sides: ['agent', 'proxy'],
  purpose: 'check',
  look: lookAtCheck,
  fold: ({policy, certificates, nowMs}) => foldCheck(policy, certificates, nowMs),
  mayBeEmpty: false,
}

/** `agents list` */
export const AGENTS_LIST: PodCommand<AgentItem> = {
  view: agentListView,
  sides: [],
  purpose: 'list',
  look: (selected) => Promise.resolve(lookAtAgent(selected)),
  mayBeEmpty: true,
}
