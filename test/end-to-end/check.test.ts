import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { CALL } from '../support/installed-package.ts'
import type { Receiver } from '../support/program.ts'
import { useWorkshop } from '../support/workshop.ts'

// All tests share one receiver, which answers every request the same way and has no effects.
const shop = useWorkshop()
const FREE = ['--port', '0']
const ONE = 'registration/accepts-test-post'
let receiver: Receiver

beforeAll(async () => {
  receiver = await shop.receiver()
})

const file = (name: string) => readFileSync(join(shop.folder, name), 'utf8')

test('the command "check" passes a correct receiver', async () => {
  const { code, stdout } = await shop.run('check', receiver.url, ONE, ...FREE, '--json')

  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      receiver: receiver.url,
      level: 0,
      summary: { passed: 1, failed: 0 },
      checks: [{ id: ONE, verdict: 'passed' }],
    },
  ])
})

test('the command "check" fails a receiver that answers 500 and prints the repeat command', async () => {
  receiver.status = 500
  const { code, stdout } = await shop.run('check', receiver.url, 'registration', ...FREE, '--seed', '7')
  receiver.status = 204

  expect(code).toBe(1)
  expect(stdout).toContain(`Repeat     ${CALL} check ${receiver.url} --port 0 ${ONE} --seed 7\n`)
})

/** Returns the report data that depends only on the seed. The service's objects differ between runs. */
function decidedBySeed(stdout: string) {
  const { seed, checks } = JSON.parse(stdout)
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
  const plain = ({ id, verdict, expected, exchanges }: any) => [
    id,
    verdict,
    expected,
    // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
    ...exchanges.map(({ kind, label, status, flags }: any) => [kind, label, status, flags]),
  ]
  return { seed, checks: checks.map(plain) }
}

test('two runs with the same seed send and report the same data', async () => {
  const url = receiver.url.replace('/hooks', '/{object_type}')
  const run = () => shop.run('check', url, 'trust', 'idempotency', 'body', ...FREE, '--seed', '7', '--json')

  const [one, other] = [await run(), await run()]

  const { checks } = decidedBySeed(one.stdout)
  expect(checks.length).toBeGreaterThan(30)
  expect(decidedBySeed(other.stdout)).toEqual(decidedBySeed(one.stdout))
})

test('the command "check --failed" repeats the last failed checks, or all checks when no check failed', async () => {
  const args = ['check', receiver.url, 'registration/url-form', ONE, ...FREE, '--json']
  const check = async (...words: string[]) => {
    const { code, stdout, stderr } = await shop.run(...args, ...words)
    return { code, stderr, ids: JSON.parse(stdout).checks.map(({ id }: { id: string }) => id) }
  }
  receiver.status = 500
  await check()
  receiver.status = 204
  const failed = await check('--failed')
  const again = await check('--failed')

  expect([failed.code, failed.ids]).toEqual([0, [ONE]])
  expect([again.code, again.ids]).toEqual([0, [ONE, 'registration/url-form']])
  expect(again.stderr).toContain('No check failed in the last run, so all checks run')
})

test('the command "check --bail" stops at the first failure and counts the remaining checks', async () => {
  receiver.status = 500
  const { code, stdout } = await shop.run('check', receiver.url, ...FREE, '--explore', 'off', '--bail')
  receiver.status = 204

  expect(code).toBe(1)
  expect(stdout).toMatch(/^Ended at the first failure\. \d\d checks did not run$/m)
})

test('a known failure fails the run only when its check passes', async () => {
  const config = {
    receiver: { url: receiver.url.replace('/hooks', '/{object_type}') },
    port: 0,
    knownFailures: [ONE],
  }
  writeFileSync(join(shop.folder, 'known.json'), JSON.stringify(config))
  const passing = await shop.run('check', ONE, '--config', 'known.json')
  receiver.status = 500
  const failing = await shop.run('check', ONE, '--config', 'known.json')
  receiver.status = 204

  expect([passing.code, failing.code]).toEqual([1, 0])
  expect(passing.stdout).toContain('Known to fail, but passes')
})

test('no report is green when the receiver is unreachable', async () => {
  const url = 'https://localhost:1/{object_type}'
  const files = '--markdown lost.md --html lost.html'.split(' ')
  const { code, stdout } = await shop.run('check', url, ...FREE, ...files)

  const sentence = 'o verdict: your receiver could not be reached'
  expect(code).toBe(3)
  expect(stdout).toContain(`\n? N${sentence}\n  Cannot connect to "localhost:1": nothing listens there.`)
  expect(stdout.match(/nothing listens there/g)).toHaveLength(1)
  expect(file('lost.md')).toMatch(new RegExp(`^## ❌ Webhook receiver: n${sentence}\n`))
  expect(file('lost.html')).toContain(`<h1 class="unknown">N${sentence}</h1>`)
})

test('the command "check" writes every report, and one report can go to standard output', async () => {
  const files = '--junit r.xml --html r.html --markdown r.md --report-json -'.split(' ')
  const { code, stdout, stderr } = await shop.run('check', receiver.url, ONE, ...FREE, ...files)

  expect([code, JSON.parse(stdout).summary.passed]).toEqual([0, 1])
  expect(stderr).toContain('Nothing failed')
  expect([file('r.xml'), file('r.html'), file('r.md')]).toEqual([
    expect.stringMatching(/^<\?xml [^]*<\/testsuites>\n$/),
    expect.stringMatching(/^<!doctype html>[^]*<\/html>\n$/),
    expect.stringMatching(/^## ✅ /),
  ])
  expect(readdirSync(shop.folder).filter((name) => name.endsWith('.part'))).toEqual([])
})

test.each([
  ['check', 'there is no URL and no hookbench.config.ts'],
  ['check nope', 'Cannot check "nope": the word is neither a URL nor a check or topic. Write the URL'],
  ['check localhost:9443/hooks', 'write it as https://localhost:9443/hooks'],
  [
    'check https://localhost:1/ --attach order',
    'Cannot attach to "order": the value of --attach must be the address of a bench',
  ],
  [`check https://localhost:1/ ${ONE}x`, `Did you mean "${ONE}"?`],
  ['check https://localhost:1/ --require effects', 'set effects.http in the configuration'],
  ['check https://localhost:1/ --junit none/r.xml', 'the folder "none" does not exist'],
  [
    'check https://localhost:1/ --port 0 --effects http://127.0.0.1:1/{object_type}/{id}',
    'Cannot read effects.http',
  ],
  ['check --explain trust/lying-bodi', 'Did you mean "trust/lying-body"?'],
])('the command "check" exits with 2 and names the fix for the usage error: %s', async (line, remedy) => {
  const { code, stdout, stderr } = await shop.run(...line.split(' '))

  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(remedy)])
})

test('the command "check --attach" without a sandbox exits with 3 and explains how to start a sandbox', async () => {
  const { code, stderr } = await shop.run('check', 'https://localhost:1/', '--attach')

  expect([code, stderr]).toEqual([3, expect.stringContaining('no sandbox runs on data folder ".hookbench"')])
})

test('the command "init" writes a usable configuration and never overwrites an existing file', async () => {
  const first = await shop.run('init', '--yaml')
  const text = file('hookbench.config.yaml').replace('https://localhost:9443', new URL(receiver.url).origin)
  writeFileSync(join(shop.folder, 'hookbench.config.yaml'), text)
  const second = await shop.run('init')
  const check = await shop.run('check', ONE, ...FREE)

  expect([first.code, second.code, check.code]).toEqual([0, 2, 0])
  expect(first.stdout).toContain(`${CALL} check`)
  expect(second.stderr).toContain('"hookbench.config.yaml" already exists')
})

test('the command "check" finds hookbench.config.mjs without --config', async () => {
  writeFileSync(join(shop.folder, 'hookbench.config.mjs'), `export default { failOn: 'nope' }\n`)

  const { code, stderr } = await shop.run('check', ONE, ...FREE)

  expect([code, stderr]).toEqual([2, expect.stringContaining('Cannot use config "hookbench.config.mjs"')])
})
