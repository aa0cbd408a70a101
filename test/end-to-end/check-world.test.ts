import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createControlClient } from '../../sandbox/client/control-client.ts'
import { findControlAddress } from '../../sandbox/client/control-address.ts'
import { useWorkshop } from '../support/workshop.ts'
import { prepareJobReceiver, type JobReceiver } from './job-receiver.ts'

// Tests of many CI jobs on one sandbox, each in its own world.

const shop = useWorkshop()
const receivers: JobReceiver[] = []

afterAll(() => {
  for (const receiver of receivers) receiver.kill()
})

beforeAll(async () => {
  await shop.up('--clock', 'manual')
  await shop.run('cert', 'localhost')
  await shop.run('create', 'items', 'name=Sofa')
})

const CHECKS = [
  'registration/accepts-test-post',
  'trust/lying-body',
  'idempotency/same-delivery-again',
] as const

const JOBS = [
  ['', []],
  ['refuses-test-posts', ['registration/accepts-test-post']],
  ['asks-back-and-believes-the-body', ['trust/lying-body']],
  ['', []],
  ['acts-on-each-delivery', ['idempotency/same-delivery-again']],
  ['', []],
] as const

const address = () => findControlAddress(join(shop.folder, '.hookbench'), {})
const perform = () => createControlClient(address())
const snapshot = async () => {
  const { url, token } = address()
  const response = await fetch(`${url}/control/snapshot`, { headers: { authorization: `Bearer ${token}` } })
  return response.text()
}
const worlds = async () => (await perform()('listWorlds')).worlds.map(({ name }) => name)
const folders = () => {
  const path = join(shop.folder, '.hookbench/worlds')
  return existsSync(path) ? readdirSync(path) : []
}

async function configure(
  name: string,
  { defect = '', ...more }: { defect?: string; [key: string]: unknown },
) {
  const receiver = await prepareJobReceiver(join(shop.folder, name), { defect, cert: shop.folder })
  receivers.push(receiver)
  const file = `${name}.config.json`
  const { config } = receiver
  writeFileSync(join(shop.folder, file), JSON.stringify({ ...config, checks: CHECKS, ...more }))
  return file
}

interface Report {
  readonly world: string
  readonly checks: readonly { readonly id: string; readonly verdict: string }[]
}

function outcomeOf(stdout: string, stderr: string): unknown {
  if (stdout === '') return stderr
  const { world, checks }: Report = JSON.parse(stdout)
  const ids = (wanted: string) => checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id)
  return { failed: ids('failed'), passed: ids('passed').length, world }
}

test('parallel runs in one sandbox each report the verdicts of their own receiver', async () => {
  const before = await snapshot()
  // With the same seed, jobs in a shared world would create the same objects.
  const service = { attach: address().url, world: 'new' }
  const files = await Promise.all(
    JOBS.map(([defect], index) => configure(`job-${index}`, { defect, service, seed: 7 })),
  )

  const ended = await Promise.all(files.map((file) => shop.run('check', '--config', file, '--json')))

  expect(ended.map(({ code, stdout, stderr }) => [code, outcomeOf(stdout, stderr)])).toEqual(
    JOBS.map(([_, failed]) => [
      failed.length,
      { failed, passed: CHECKS.length - failed.length, world: 'new' },
    ]),
  )
  expect([await worlds(), folders()]).toEqual([['default'], []])
  expect(await snapshot()).toBe(before)
})

test('an interrupted run removes its world, and the world of a killed run expires', async () => {
  const service = { attach: address().url, world: 'new', ttlSeconds: 3_600 }
  const file = await configure('cut-off', { service })
  const start = async () => {
    const run = shop.start('check', '--config', file)
    const line = await run.line(/the world "check-[a-z0-9]{8}" is removed at the end/)
    return { run, name: /"(check-\w+)"/.exec(line)?.[1] ?? '' }
  }

  const stopped = await start()
  const during = await worlds()
  await stopped.run.end('SIGINT')
  expect([during, await worlds()]).toEqual([['default', stopped.name], ['default']])
  for (const receiver of receivers) receiver.kill()

  const killed = await start()
  await killed.run.end('SIGKILL')
  const { created_at, expires_at } = await perform()('getWorld', { path: { name: killed.name } })
  expect(Date.parse(String(expires_at)) - Date.parse(created_at)).toBe(3_600_000)
  await perform()('removeWorld', { path: { name: killed.name } })
  for (const receiver of receivers) receiver.kill()
})

test('a run gives no verdict and exits with code 3 when its world is removed during the run', async () => {
  const service = { attach: address().url, world: 'new' }
  const run = shop.start('check', '--config', await configure('lost', { service, checks: undefined }))
  const said = run.line(/never/).catch((error: Error) => error.message)
  const line = await run.line(/is removed at the end/)
  await perform()('removeWorld', { path: { name: /"(check-\w+)"/.exec(line)?.[1] ?? '' } })

  const code = await run.end()

  expect([code, await said]).toEqual([
    3,
    expect.stringMatching(
      /^it ended with 3: hookbench: Cannot continue the run: world "check-\w+" no longer exists: .*--ttl.*\n$/,
    ),
  ])
})

test('a run adds a world with the given credentials', async () => {
  const url = 'https://localhost:1/{object_type}'
  const check = (...flags: readonly string[]) =>
    shop.run('check', url, CHECKS[0], '--attach', address().url, '--world', 'new', ...flags)

  const unknown = await check()
  const taken = await check('--client-id', 'sandbox')
  const own = await check('--client-id', 'job-7', '--client-secret', 'of-job-7')

  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining(
      '"service.world" is "new", but your receiver does not know the credentials of this world. Set "process.start"',
    ),
  ])
  expect([taken.code, taken.stderr]).toEqual([
    2,
    expect.stringMatching(/^hookbench: Cannot check in a new world: .*sandbox/),
  ])
  expect([own.code, own.stdout]).toEqual([3, expect.stringContaining('client    job-7 / (yours)')])
  expect(await worlds()).toEqual(['default'])
})

test("a run is rejected when its receiver already runs without the world's credentials", async () => {
  const service = { attach: address().url, world: 'new' }
  const file = await configure('running', { service })
  await receivers.at(-1)?.start()

  const { code, stderr } = await shop.run('check', '--config', file)

  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('your receiver is already running, without the credentials of that world'),
  ])
  expect(await worlds()).toEqual(['default'])
})

test('a test file and a rehearsal each run in a new world', async () => {
  const service = { attach: address().url, token: address().token, world: 'new' }
  const file = await configure('others', { service })
  const { config } = receivers.at(-1) ?? {}
  const given = JSON.stringify({ ...config, service, data: join(shop.folder, '.hookbench'), checks: CHECKS })
  const adapter = new URL('../../contracts/frameworks/node-test.ts', import.meta.url).href
  const path = join(shop.folder, 'receiver.test.mjs')
  writeFileSync(path, `import { describeReceiver } from '${adapter}'\ndescribeReceiver(${given})\n`)

  const described = await runNode('--test', '--test-reporter=tap', path)
  const rehearsed = await shop.run('rehearse', 'npp-payin', '--config', file)

  expect([described.code, described.printed]).toEqual([0, expect.stringMatching(/^# fail 0$/m)])
  expect(described.printed).toMatch(/ok \d+ - trust\/lying-body: (?!.*# SKIP)/)
  expect([rehearsed.code, rehearsed.stderr]).toEqual([0, ''])
  expect([await worlds(), folders()]).toEqual([['default'], []])
})

async function runNode(...words: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: shop.folder }
  const child = spawn(process.execPath, words, { cwd: shop.folder, env })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code: child.exitCode, printed }
}
