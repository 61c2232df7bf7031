import {afterAll, beforeAll, expect, test} from '@jest/globals'
import {type OpenSandbox, openSandbox} from '../support/open-sandbox.ts'

let demo: OpenSandbox

beforeAll(async () => {
  demo = await openSandbox()
})

afterAll(async () => await demo.close())

test('a repeatable flag takes one value, and what follows is a TARGET', async () => {
  const {stdout, stderr, exitCode} = await demo.run('agents list -n shop cart-5d8f7c9b6-4kxvq -o name')

  expect({stdout, stderr, exitCode}).toEqual({
    stdout: 'pod/cart-5d8f7c9b6-4kxvq.shop\n',
    stderr: '1 pod: 1 ready\n',
    exitCode: 0,
  })
})

test('--no-cert leaves the PEM out of documents, and nothing else', async () => {
  const line = 'secrets list -n shop pod/cart-5d8f7c9b6-4kxvq -o json'
  const whole = await demo.run(line)
  const without = await demo.run(`${line} --no-cert`)

  const withoutPem = (text: string): unknown =>
    JSON.parse(text, (key, value: unknown) => (key === 'cert' ? undefined : value))
  expect(whole.stdout).toContain('-----BEGIN CERTIFICATE-----')
  expect(without.stdout).not.toContain('BEGIN')
  expect(withoutPem(without.stdout)).toEqual(withoutPem(whole.stdout))
})

test.each([
  'secrets diff --nope',
  'secrets diff -A -n shop',
  'secrets diff -A shop/x',
  'secrets diff -A pod/cart',
  'secrets diff -l app=cart pod/cart',
  'secrets diff -o',
  'secrets diff -o xml',
  'secrets diff --show some',
  'secrets diff --via pigeon',
  'secrets diff --source nobody',
  'secrets diff --deadline 5',
  'secrets diff --deadline -1s',
  'secrets diff --fail-on never',
  'secrets diff --max-unknown 101%',
  'secrets diff --now yesterday',
  'secrets diff --match [',
  'secrets diff --sort-by {',
  'secrets diff --context a --context b --server https://127.0.0.1:1',
  'secrets diff -n',
  'secrets diff secrets/x',
  'agents list --settle 1s',
  'agents list --sds',
  'debug get cart',
  'debug get',
  'debug get a /stats c',
  'secrets nope',
  'nope',
])('%s is a usage error: 2, an error that says what is wrong, and nothing on stdout', async (line) => {
  const {stdout, stderr, exitCode} = await demo.run(line)

  expect(stdout).toBe('')
  expect(stderr).toMatch(/^Error: \S.*\n/)
  expect(stderr).not.toMatch(/\bat .+\.(?:ts|js):\d+/)
  expect(exitCode).toBe(2)
})

test('standard input is read for nothing but -f -', async () => {
  const {stdout, exitCode} = await demo.run('agents list -n bank -o name', {stdin: 'ledger\n'})

  expect(stdout.split('\n').filter((line) => line !== '')).toHaveLength(4)
  expect(exitCode).toBe(0)
})
