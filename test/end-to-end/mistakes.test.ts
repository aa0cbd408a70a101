import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { ObjectRecord } from '../../spec/generated/control-types.ts'
import type { Up } from '../support/program.ts'
import { useWorkshop } from '../support/workshop.ts'
import { serveHttp } from '../support/scripted-server.ts'

const shop = useWorkshop()
let up: Up

beforeAll(async () => {
  up = await shop.up('--memory')
})

const runElsewhere = (variables: Readonly<Record<string, string>>, ...args: string[]) =>
  useWorkshop(variables).run(...args)

test('commands reach a remote sandbox through HOOKBENCH_URL and HOOKBENCH_TOKEN', async () => {
  const HOOKBENCH_URL = String(up.ready['bench_url'])
  const HOOKBENCH_TOKEN = readFileSync(join(shop.folder, '.hookbench/token'), 'utf8').trim()

  const found = await runElsewhere({ HOOKBENCH_URL: `${HOOKBENCH_URL}/`, HOOKBENCH_TOKEN }, 'jobs', '--json')
  const wrong = await runElsewhere({ HOOKBENCH_URL, HOOKBENCH_TOKEN: 'nope' }, 'jobs')

  expect([found.code, JSON.parse(found.stdout)]).toEqual([0, { jobs: [], older: 0, next_cursor: null }])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('HOOKBENCH_TOKEN')])
})

test('a command reports that HOOKBENCH_URL contains the service URL', async () => {
  const HOOKBENCH_URL = String(up.ready['service_url'])

  const { code, stderr } = await runElsewhere({ HOOKBENCH_URL }, 'jobs')

  expect([code, stderr]).toEqual([3, expect.stringMatching(/^hookbench: .*is the service API.*\n$/)])
})

test.each([
  [200, 'Welcome'],
  [404, '<h1>Not found</h1>'],
])('a command rejects a server with status %i and body %s that is not a sandbox', async (status, body) => {
  const { origin, close } = await serveHttp((_, response) => response.writeHead(status).end(body))

  const { code, stderr } = await runElsewhere({ HOOKBENCH_URL: origin }, 'jobs')
  await close()

  expect([code, stderr]).toEqual([3, expect.stringMatching(/^hookbench: .*does not respond with JSON.*\n$/)])
})

test.each([
  ['job nope', 1, '"nope"'],
  ['create items nope=1', 2, '"nope"'],
  ['jobs --limit 0', 2, '"0"'],
])('the command "%s" names the rejected value in one line and exits with %i', async (line, exit, value) => {
  const { code, stdout, stderr } = await shop.run(...line.split(' '))

  expect([code, stdout, stderr]).toEqual([exit, '', expect.stringMatching(/^hookbench: .*\n$/)])
  expect(stderr).toContain(value)
})

test('the command "up --memory" requires another --data folder when a sandbox runs on the first folder', async () => {
  const taken = await shop.run('up', '--memory', '--port', '0', '--bench-port', '0')
  const other = await shop.up('--memory', '--data', 'beside')

  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('give another folder with --data')])
  expect(await other.end('SIGTERM')).toBe(0)
})

test('the command "snapshot restore" names the file when the snapshot was modified', async () => {
  await shop.run('snapshot', 'save', 'world.json')
  const text = readFileSync(join(shop.folder, 'world.json'), 'utf8')
  writeFileSync(join(shop.folder, 'world.json'), text.replace('\n', '\nnull\n'))
  writeFileSync(join(shop.folder, 'other.json'), text.replace(/"checksum":"../, '"checksum":"zz'))

  const invalid = await shop.run('snapshot', 'restore', 'world.json')
  const damaged = await shop.run('snapshot', 'restore', 'other.json')

  expect([invalid.code, damaged.code]).toEqual([2, 2])
  expect(invalid.stderr).toContain('Cannot restore "world.json": ')
  expect(damaged.stderr).toMatch(/Cannot restore "other.json": the snapshot was changed .*snapshot save/)
})

test('the command "up --memory" stores nothing, and a run with --seed and a manual clock is repeatable', async () => {
  const other = useWorkshop()
  const seeded = async () => {
    const started = await other.up('--memory', '--clock', 'manual', '--seed', '7')
    const { id, object } = await other.json<ObjectRecord>('create', 'items')
    await started.end('SIGTERM')
    return { id, object }
  }

  const [first, second] = [await seeded(), await seeded()]
  const kept = existsSync(join(other.folder, '.hookbench/store.sqlite'))

  expect([second, kept]).toEqual([first, false])
})
