import {expect, test} from '@jest/globals'
import {type Life, LIVES, turnsOf} from '../../../scripts/life-table.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** Rule, severity, and below which number of seconds left it begins. */
function told(life: Life): readonly string[] {
  return turnsOf(life).map(({rule, severity, leftSeconds}) => `${severity} ${rule} below ${leftSeconds}`)
}

// The whole seconds below which the rules tell something; whoever changes a threshold changes this, and what it means
// for everybody's pipeline.
test.each<[string, readonly string[]]>([
  [
    'leaf of 24 h, renewed by its agent at half its life',
    [
      `fail rotation-overdue below ${0.45 * DAY}`,
      `fail cert-expiring below ${0.1 * (DAY + 120)}`,
      'fail cert-expired below 0',
    ],
  ],
  [
    'leaf of 24 h, renewed by its agent with 20% left',
    [
      `fail rotation-overdue below ${0.15 * DAY}`,
      `fail cert-expiring below ${0.1 * (DAY + 120)}`,
      'fail cert-expired below 0',
    ],
  ],
  [
    'leaf of 90 s, renewed by its agent at half its life',
    ['fail rotation-overdue below 41', 'fail cert-expiring below 21', 'fail cert-expired below 0'],
  ],
  [
    'leaf of 90 d, of a gateway',
    [`warn cert-expiring below ${27 * DAY}`, `fail cert-expiring below ${7 * DAY}`, 'fail cert-expired below 0'],
  ],
  [
    'leaf of 397 d, of a gateway',
    [`warn cert-expiring below ${30 * DAY}`, `fail cert-expiring below ${7 * DAY}`, 'fail cert-expired below 0'],
  ],
  [
    'intermediate of 1 y',
    [`warn cert-expiring below ${60 * DAY}`, `fail cert-expiring below ${14 * DAY}`, 'fail cert-expired below 0'],
  ],
  [
    'root of 10 y',
    [`warn cert-expiring below ${90 * DAY}`, `fail cert-expiring below ${30 * DAY}`, 'fail cert-expired below 0'],
  ],
])('%s', (title, turns) => {
  const life = LIVES.find((one) => one.title === title)

  expect(life === undefined ? [] : told(life)).toEqual(turns)
})

test('each life of the page is in this table', () => {
  expect(LIVES).toHaveLength(7)
})

test('a leaf whose agent renews it with little left fails at half of that', () => {
  const life: Life = {title: '', seconds: DAY + 120, position: 'leaf', graceRatio: 0.1}

  expect(told(life)).toEqual(
    [
      `fail rotation-overdue below ${0.05 * DAY}`,
      `fail cert-expiring below ${0.05 * (DAY + 120)}`,
      'fail cert-expired below 0',
    ].toSorted((one, other) => Number(other.split(' ').at(-1)) - Number(one.split(' ').at(-1))),
  )
})

test('limits of the user hold in place of the defaults, a share of a leaf beside a time of a root', () => {
  const thresholds = {leaf: {warn: {share: 0.5}, fail: {ms: HOUR * 1000}}, intermediate: {}, root: {fail: {ms: 0}}}
  const leaf: Life = {title: '', seconds: 90 * DAY, position: 'leaf', thresholds}

  expect(told(leaf)).toEqual([
    `warn cert-expiring below ${45 * DAY}`,
    `fail cert-expiring below ${HOUR}`,
    'fail cert-expired below 0',
  ])
  expect(told({...leaf, position: 'root'})).toEqual([
    `warn cert-expiring below ${27 * DAY}`,
    'fail cert-expired below 0',
  ])
})
