import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runChecks, type Config } from '../../contracts/index.ts'
import { describeReceiver } from '../../contracts/frameworks/vitest.ts'
import { openWorkshop } from '../support/program.ts'

const ADAPTER = new URL('../../contracts/frameworks/node-test.ts', import.meta.url).href
const ONE = 'registration/accepts-test-post'

// The receiver has to listen before the tests are described.
const shop = openWorkshop()
await shop.run('cert', 'localhost', '--out', 'certs')
const pem = (name: string) => readFileSync(join(shop.folder, 'certs', name), 'utf8')
const receiver = await shop.receiver({ cert: pem('localhost.crt.pem'), key: pem('localhost.key.pem') })
const own = { port: 0, data: join(shop.folder, '.hookbench') }

afterAll(() => shop.close())

const config: Config = {
  receiver: { url: receiver.url },
  ...own,
  checks: [ONE, 'http/no-redirect'],
  failOn: 'should',
}

// With vitest: each of these is a test of this file.
describeReceiver(config)

test('the command takes the same object', async () => {
  writeFileSync(join(shop.folder, 'hookbench.config.json'), JSON.stringify(config))

  const { code, stdout } = await shop.run('check', '--json')
  const named = await shop.run('check', ONE, '--json')

  const ids = (report: string) => JSON.parse(report).checks.map(({ id }: { readonly id: string }) => id)
  expect([code, ids(stdout).toSorted(), ids(named.stdout)]).toEqual([0, config.checks?.toSorted(), [ONE]])
})

test('runChecks() returns what was found, and calls with each result', async () => {
  const ids: string[] = []
  const onResult = ({ check }: { readonly check: { readonly id: string } }) => void ids.push(check.id)

  const { results } = await runChecks(
    { receiver: { url: receiver.url }, ...own, checks: [ONE] },
    { onResult },
  )

  expect(results).toMatchObject([{ check: { id: ONE }, verdict: 'passed', finding: { kind: 'passed' } }])
  expect(ids).toEqual([ONE])
})

test('runChecks() names what is wrong with its description', async () => {
  await expect(runChecks({ receiver: { url: receiver.url }, seed: -1 })).rejects.toThrow('"seed" takes')
})

/** Runs a file that describes the receiver, with node:test. */
function run(description: object) {
  const file = join(shop.folder, 'receiver.test.mjs')
  const told = JSON.stringify({ receiver: { url: receiver.url }, ...own, ...description })
  writeFileSync(file, `import { describeReceiver } from '${ADAPTER}'\ndescribeReceiver(${told})\n`)
  // What this run of ours tells its children is not for that one.
  const env = { PATH: process.env['PATH'], HOME: shop.folder }
  return spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], {
    encoding: 'utf8',
    env,
    cwd: shop.folder,
  })
}

test('with node:test, a check that is not observable is skipped with the reason', () => {
  const { status, stdout } = run({ checks: ['trust/lying-body'] })

  expect(status).toBe(0)
  expect(stdout).toMatch(/ok 1 - trust\/lying-body: .* # SKIP not observable: .*effects/)
})

test('with node:test, a failed check fails its test with the whole report', () => {
  const { status, stdout } = run({ receiver: { url: 'https://localhost:1/hooks' }, checks: [ONE] })

  expect(status).toBe(1)
  expect(stdout).toMatch(/not ok 1 - registration\/accepts-test-post: /)
  expect(stdout).toContain("node --test --test-name-pattern='registration/accepts-test-post:'")
})

test('with node:test, a wrong description is named', () => {
  const { status, stdout } = run({ budgetMs: 'long' })

  expect(status).toBe(1)
  expect(stdout).toContain('"budgetMs" takes a whole number')
})
