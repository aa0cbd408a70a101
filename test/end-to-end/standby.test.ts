// @module-tag postgresql
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startPostgres } from '../support/postgres.ts'
import { callControl, standbyProcess, type StandbyProcess } from '../support/standby-process.ts'

const LEASE_MS = 1_500
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function openPair() {
  const root = mkdtempSync(join(tmpdir(), 'hookbench-pair-'))
  cleanups.push(() => rmSync(root, { recursive: true, maxRetries: 3 }))
  const server = await startPostgres()
  cleanups.push(() => server.remove())
  const [first, second] = ['a', 'b'].map((name) => {
    const made = standbyProcess({ name, data: join(root, name), store: server.url(), leaseMs: LEASE_MS })
    cleanups.push(() => made.end())
    return made
  }) as [StandbyProcess, StandbyProcess]
  await first.start()
  await untilServing(first)
  await second.start()
  return { server, first, second }
}

function call(standby: StandbyProcess, request: `${string} ${string}`, body?: unknown) {
  const [method = '', path = ''] = request.split(' ')
  return callControl(standby, { method, path, body, patienceMs: 20_000 })
}

const untilServing = (standby: StandbyProcess) =>
  vi.waitUntil(async () => (await call(standby, 'GET /health').catch(() => undefined))?.status === 200, {
    timeout: 60_000,
    interval: 20,
  })

const addItem = (standby: StandbyProcess) => call(standby, 'POST /objects/items', {})
const countItems = async (standby: StandbyProcess) => (await call(standby, 'GET /objects/items')).body

test('a standby responds 503 with the name of the active process', async () => {
  const { first, second } = await openPair()
  await expect
    .poll(async () => (await call(second, 'GET /health')).body)
    .toMatchObject({ active: expect.anything() })

  const [health, refused] = [await call(second, 'GET /health'), await addItem(second)]

  const { host } = new URL(first.benchUrl)
  expect([health.status, health.body.status, health.body.active.address]).toEqual([503, 'standby', host])
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'standby',
    '1',
  ])
  expect(refused.body.error.message).toContain(host)
})

test('a process that was frozen past its lease becomes a standby and hides its stale state', async () => {
  const { first, second } = await openPair()
  await addItem(first)
  first.freeze()
  await untilServing(second)
  await addItem(second)
  const frozen = countItems(first).catch(() => undefined)
  first.wake()

  expect((await frozen)?.error?.code).toMatch(/standby|storage_away/)
  await expect
    .poll(async () => (await call(first, 'GET /health')).body)
    .toMatchObject({ status: 'standby', active: expect.anything() })
  await second.end()
  await untilServing(first)
  expect((await countItems(first)).objects).toHaveLength(2)
})
