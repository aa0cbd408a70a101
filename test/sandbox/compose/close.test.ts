import { expect, test } from 'vitest'
import { manualTime, testSandbox } from '../../support/test-sandbox.ts'
import { createMemoryDatabase, createMemoryWorlds } from '../../support/stores.ts'
import { createIdleWorlds, type Slot } from '../../../sandbox/compose/idle-worlds.ts'
import { worldPause, worldRecord } from '../../support/control-records.ts'
import { createWorldRouter } from '../../../sandbox/compose/world-router.ts'
import { createFairScheduler } from '../../../sandbox/compose/world-sharing.ts'
import { toFetchHandler } from '../../../sandbox/api/http/fetch-handler.ts'
import { jsonResponse, type RequestHandler } from '../../../sandbox/engine/core/http.ts'
import { WorldGoneError } from '../../../sandbox/engine/state/world-record.ts'
import { createTranslator } from '../../../spec/vocabulary.ts'

test('a closing sandbox records the attempts in flight and starts no other attempt', async () => {
  const answers: (() => void)[] = []
  const database = createMemoryDatabase()
  const sandbox = testSandbox({
    store: database.open(),
    script: (_, index) => (index === 0 ? 200 : new Promise((resolve) => answers.push(() => resolve(200)))),
  })
  await sandbox.register()
  for (let count = 0; count < 70; count++) await sandbox.control('POST', '/objects/items', {})
  await expect.poll(() => answers.length).toBe(64)

  const closed = sandbox.close()
  for (const answer of answers) answer()
  await closed

  const again = testSandbox({ store: database.open() })
  await again.idle()
  const attempts = again.store.jobs().map((job) => again.store.attempts(job).map(({ head }) => head.status))
  expect(attempts).toEqual(Array.from({ length: 70 }, () => [200]))
  expect(again.transport.messages.length).toBe(6)
})

test('an instant payment stops during closing and continues at the next start', async () => {
  const database = createMemoryDatabase()
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({
    store: database.open(),
    script: (_, index) => (index === 0 ? 200 : answer.promise),
  })
  await sandbox.register()
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: 'instant' })
  await expect.poll(() => sandbox.transport.messages.length).toBe(2)

  const closed = sandbox.close()
  answer.resolve(200)
  const { status, body } = await played
  await closed
  const again = testSandbox({ store: database.open() })
  await again.idle()

  expect([status, body.step < body.steps]).toEqual([201, true])
  expect(again.store.payment(body.id)).toMatchObject({ step: body.steps, next_due_at: null })
})

const IDLE_MS = 60_000

function watching(reportedAt: (now: number) => number | undefined) {
  const realTime = manualTime()
  const closed: string[] = []
  const slotById = new Map<string, Slot>()
  const endedAt = reportedAt(realTime.now())
  const idle = createIdleWorlds(slotById, { realTime, idleMs: IDLE_MS }, async ({ world }) => {
    closed.push(world.record.name)
  })
  function open(name: string): Slot {
    const hibernation = { read: () => worldPause(), reportedAt: () => endedAt, resume() {} }
    const assembled = { hibernation, store: { length: 0 }, close: () => Promise.resolve() }
    const slot = {
      world: {
        record: worldRecord(name),
        assembled,
        calls: { isIdle: () => true, begun: () => 1 },
      },
      started: Promise.resolve(),
      calledAt: 0,
      ending: undefined,
    } as unknown as Slot
    slotById.set(slot.world.record.id, slot)
    idle.watch(slot)
    return slot
  }
  return { idle, realTime, closed, open }
}

test('an idle world with a run report closes after ten times the usual idle time', async () => {
  const closedAfter: Record<string, number> = {}
  for (const [name, reportedAt] of [
    ['plain', () => undefined],
    ['reported', (now: number) => now],
  ] as const) {
    const { realTime, closed, open } = watching(reportedAt)
    open(name)
    for (let minutes = 1; closed.length === 0 && minutes < 20; minutes++) {
      realTime.move(IDLE_MS)
      closedAfter[name] = minutes
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  expect(closedAfter).toEqual({ plain: 1, reported: 10 })
})

/** Creates a router whose world is removed between its lookup and its opening. */
async function leaving() {
  const [world, directory, realTime] = [worldRecord('shop'), createMemoryWorlds(), manualTime()]
  await directory.add(world)
  const inDefault: RequestHandler = async ({ path }) => jsonResponse(200, JSON.stringify({ default: path }))
  const router = createWorldRouter({
    directory,
    registry: {
      find: directory.find,
      isOpen: () => true,
      serve: async () => {
        throw new WorldGoneError(world)
      },
    },
    fallback: { service: inDefault, bench: inDefault },
    turns: createFairScheduler({ soon: queueMicrotask, elapsed: realTime.elapsed }),
    rootToken: 'root',
    translator: createTranslator(),
    onError() {},
  })
  return { world, bench: toFetchHandler(router.bench), service: toFetchHandler(router.service) }
}

const reset = (headers: Readonly<Record<string, string>>) =>
  new Request('http://sandbox.test/control/reset', { method: 'POST', headers })

test('a call that names a removed world does not reach the default world', async () => {
  const { bench } = await leaving()
  const answer = await bench(reset({ authorization: 'Bearer root', 'hookbench-world': 'shop' }))
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'unknown_world' } })
})

test('a call that names no world but has the credentials of a removed world reaches the default world', async () => {
  const { bench, service, world } = await leaving()
  const { email, api_token } = world.credentials
  const user = Buffer.from(`${email}:${api_token}`).toString('base64')
  const answers = [
    await bench(reset({ authorization: `Bearer ${world.controlToken}` })),
    await service(
      new Request('http://sandbox.test/items/1', { headers: { authorization: `Basic ${user}` } }),
    ),
  ]
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
    { default: '/control/reset' },
    { default: '/items/1' },
  ])
})

/** Creates a scheduler. The test controls the scheduler's turns and time. */
function turning() {
  const soon: (() => void)[] = []
  let elapsed = 0
  const begun: string[] = []
  const turns = createFairScheduler({ soon: (run) => soon.push(run), elapsed: () => elapsed })
  return {
    begun,
    turns,
    async begin(world: string, times = 1) {
      for (let count = 0; count < times; count++) {
        const turn = turns.take(world)
        if (turn) void turn.then(() => begun.push(world))
        else begun.push(world)
      }
    },
    async turn() {
      for (const run of soon.splice(0)) run()
      await Promise.resolve()
    },
    pass(ms: number) {
      elapsed += ms
    },
  }
}

test('a world starts its work at once even while another world is busy', async () => {
  const { begun, begin, turn } = turning()
  await begin('a')
  await begin('b')
  await begin('a', 50)
  await turn()
  begun.splice(0)
  await begin('b')
  expect(begun).toEqual(['b'])
  await turn()
  await turn()
  expect(begun).toEqual(['b', 'a', 'a', 'a', 'a'])
  for (let count = 0; count < 50; count++) await turn()
  expect(begun.filter((world) => world === 'a').length).toBe(47)
})

test('a world starts more work in each turn when the other worlds are idle', async () => {
  const { begun, begin, turn, pass } = turning()
  await begin('a')
  await begin('b')
  for (let count = 0; count < 5; count++) await turn()
  pass(2_000)
  await begin('b', 50)
  expect(begun).toHaveLength(2 + 16)
  await turn()
  expect(begun).toHaveLength(2 + 32)
  for (let count = 0; count < 2; count++) await turn()
  expect(begun).toHaveLength(2 + 50)
})
