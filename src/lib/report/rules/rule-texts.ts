import type {RuleInfo} from '../../domain/rule.ts'
import {wrapText} from '../table/wrap-text.ts'

/** Flags that every rule has. */
const COMMON_FLAGS = ['--rule', '--severity', '--accept'] as const

/** Widest line of a text: longer ones are hard to read. */
const MAX_WIDTH = 100

const ABOUT = {pod: 'each pod', node: 'each node', fleet: 'all pods together'} as const

/** Flags that change what a rule says, its own first. */
export function flagsOf({flags = []}: RuleInfo): readonly string[] {
  return [...flags, ...COMMON_FLAGS]
}

/** What a rule is held against, in words. */
export function aboutText({scope}: RuleInfo): string {
  return ABOUT[scope]
}

/** Who tells what it needs, in words. */
export function evidenceText({sources = []}: RuleInfo): string {
  return sources.length === 0 ? 'what the API server says of pods and nodes' : sources.join(', ')
}

/** All rules, a line each. */
export function ruleTable(rules: readonly RuleInfo[], {headers}: {readonly headers: boolean}): string {
  const lines = [
    ...(headers ? [['RULE', 'SEVERITY', 'ABOUT', 'HOLDS WHERE']] : []),
    ...rules.map((rule) => [rule.name, rule.severity, rule.scope, rule.summary]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  return lines.map((cells) => `${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`).join('')
}

/** One rule in full; `width` is that of the terminal, where there is one. */
export function ruleInFull(rule: RuleInfo, width = MAX_WIDTH): string {
  const parts: readonly (readonly [string, string])[] = [
    ['What it means', rule.meaning],
    ['Why it matters', rule.importance],
    ['What to do', rule.action],
    ['Held against', `${aboutText(rule)}, by what one of these tells: ${evidenceText(rule)}`],
    ['Flags', flagsOf(rule).join(', ')],
  ]
  const wrap = (text: string, indent: string): string =>
    wrapText(text, Math.max(20, Math.min(width, MAX_WIDTH) - indent.length))
      .map((line) => `${indent}${line}\n`)
      .join('')
  return [
    `${rule.name} (${rule.severity})\n`,
    wrap(rule.summary, '  '),
    ...parts.map(([title, text]) => `\n${title}\n${wrap(text, '  ')}`),
  ].join('')
}
