import {expect, test} from '@jest/globals'
import {hasColor} from '../../../src/lib/cli/color.ts'

const terminal = {isStdoutTerminal: true}
const pipe = {isStdoutTerminal: false}

test.each([
  ['a terminal has colours', 'auto', terminal, {}, true],
  ['a pipe has none', 'auto', pipe, {}, false],
  ['a pipe has them where the flag says always', 'always', pipe, {NO_COLOR: '1'}, true],
  ['a terminal has none where the flag says never', 'never', terminal, {FORCE_COLOR: '1'}, false],
  ['NO_COLOR turns them off', 'auto', terminal, {NO_COLOR: '1'}, false],
  ['an empty NO_COLOR says nothing', 'auto', terminal, {NO_COLOR: ''}, true],
  ['FORCE_COLOR turns them on in a pipe', 'auto', pipe, {FORCE_COLOR: '1'}, true],
  ['FORCE_COLOR=0 turns them off', 'auto', terminal, {FORCE_COLOR: '0'}, false],
  ['a dumb terminal has none', 'auto', terminal, {TERM: 'dumb'}, false],
  ['a CI job has none, though it may have a terminal', 'auto', terminal, {CI: 'true'}, false],
  ['CI=false is no CI job', 'auto', terminal, {CI: 'false'}, true],
])('%s', (_name, flag, stdout, env, expected) => {
  expect(hasColor(flag, {...stdout, env})).toBe(expected)
})
