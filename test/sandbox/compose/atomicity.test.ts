import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { atRest, movingOn, START, type TestSandbox, testSandbox } from '../../support/test-sandbox.ts'
import { createMemoryDatabase } from '../../support/stores.ts'
import { isSuccess, retryOffsetsMs } from '../../../spec/delivery.ts'
import type { Snapshot } from '../../../spec/generated/control-types.ts'

const HOUR = 3_600_000

test('two changes of a registration at once both count', async () => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()

  await Promise.all([
    sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: false }),
    sandbox.call('PATCH', `/webhooks/${uuid}`, { description: 'hello' }),
  ])

  expect((await sandbox.call('GET', `/webhooks/${uuid}`)).body).toMatchObject({
    enabled: false,
    description: 'hello',
  })
})

test('a registration that is deleted while it is changed stays deleted', async () => {
  for (let round = 0; round < 20; round++) {
    const sandbox = testSandbox()
    const uuid = await sandbox.register()
    const change = { description: 'x'.repeat(round * 1_000) }

    await Promise.all([
      sandbox.call('PATCH', `/webhooks/${uuid}`, change),
      sandbox.call('DELETE', `/webhooks/${uuid}`),
    ])

    expect((await sandbox.call('GET', `/webhooks/${uuid}`)).status).toBe(404)
  }
})

test('of two creations with one id at once, one succeeds', async () => {
  const sandbox = testSandbox()
  const id = '9a7b2f04-51c3-4d1e-8f60-2b7c9d0e1f23'

  const answers = await Promise.all([
    sandbox.control('POST', '/objects/items', { id }),
    sandbox.control('POST', '/objects/items', { id }),
  ])

  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
})

test.each([1, 2])(
  'closing during an advance with %d pending jobs ends it and keeps the due jobs',
  async (jobs) => {
    const hanging = Promise.withResolvers<number>()
    let failures = 0
    const database = createMemoryDatabase()
    const sandbox = testSandbox({
      store: database.open(),
      script: (_, index) => {
        if (index === 0) return 200
        return failures++ < jobs ? 500 : hanging.promise
      },
    })
    await sandbox.register()
    for (let index = 0; index < jobs; index++) {
      await sandbox.control('POST', '/objects/items', {})
      await sandbox.advance(START + (index + 1) * 60_000)
    }

    const advanced = sandbox.control('POST', '/clock/advance', { by: '24h' })
    await expect.poll(() => failures).toBeGreaterThan(jobs)
    const closed = sandbox.close()
    hanging.resolve(500)
    const answer = await advanced
    await closed

    const again = testSandbox({ store: database.open(), startAt: 0 })
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('is stopping') } },
    })
    expect(again.store.latestAt()).toBeLessThan(START + HOUR)
    expect(again.store.jobs().filter(({ next_due_at }) => next_due_at !== null).length).toBe(jobs)
  },
)

type Act = (sandbox: TestSandbox, run: Run) => Promise<unknown>

interface Run {
  snapshot: Snapshot | undefined
  /** How many changes were made while the webhook was enabled, in the world as it stands. */
  triggers: number
  triggersAtSnapshot: number
}

const pick = <Value>(values: readonly Value[], index: number) => values[index % Math.max(1, values.length)]

interface Named {
  /** Shown with a counterexample. */
  readonly name: string
  readonly act: Act
}

const named = (name: string, act: Act): Named => ({ name, act })

const index = fc.nat({ max: 50 })

const moves: readonly fc.Arbitrary<Named>[] = [
  fc.constant(
    named('create', async ({ control }, run) => {
      await control('POST', '/objects/items', {})
      run.triggers++
    }),
  ),
  index.map((place) =>
    named(`change ${place}`, async ({ control, store }, run) => {
      const id = pick([...store.objectIds('items')], place)
      if (id === undefined) return
      const before = store.object('items', id)?.revision
      const { body } = await control('PATCH', `/objects/items/${id}`, { amount: 1_000 + place })
      run.triggers += Number(body.revision !== before)
    }),
  ),
  index.map((place) =>
    named(`resend ${place}`, async ({ control, store }) => {
      const job = pick(store.jobs(), place)
      // One that a fault holds back would be waited for.
      if (job && store.faults().length === 0) await control('POST', `/jobs/${job.id}/resend`)
    }),
  ),
  fc
    .integer({ min: 0, max: 500 })
    .map((minutes) =>
      named(`advance ${minutes}m`, (sandbox) =>
        movingOn(sandbox, sandbox.control('POST', '/clock/advance', { by: `${minutes}m` })),
      ),
    ),
  fc.constant(
    named('real time', async (sandbox) => {
      sandbox.realTime.move(1_000)
      await movingOn(sandbox, atRest(sandbox))
    }),
  ),
]

const faults: readonly fc.Arbitrary<Named>[] = [
  fc
    .constantFrom(
      { kind: 'duplicate' },
      { kind: 'concurrent-duplicate', copies: 2 },
      { kind: 'drop' },
      { kind: 'lost-answer' },
      { kind: 'reorder' },
      { kind: 'stale-body' },
      { kind: 'delay', delay_ms: 50 },
    )
    .map((fault) =>
      named(`fault ${fault.kind}`, ({ control }) =>
        control('POST', '/faults', { on: 'delivery', times: 2, probability: 0.7, seed: 1, ...fault }),
      ),
    ),
  fc.constant(named('clear', ({ control }) => control('DELETE', '/faults'))),
]

const worlds: readonly fc.Arbitrary<Named>[] = [
  fc.constant(
    named('snapshot', async ({ control }, run) => {
      run.snapshot = (await control('GET', '/snapshot')).body
      run.triggersAtSnapshot = run.triggers
    }),
  ),
  fc.constant(
    named('restore', async ({ control }, run) => {
      if (!run.snapshot) return
      await control('PUT', '/snapshot', run.snapshot)
      run.triggers = run.triggersAtSnapshot
    }),
  ),
]

/** What must hold of every job, whatever happened. */
function broken({ store, context }: TestSandbox): readonly string[] {
  return store.jobs().flatMap((job) => {
    const heads = store.attempts(job).map(({ head }) => head)
    // What was under way when the world was replaced is on record, and made again in its place.
    const ended = heads.filter(({ reason }) => reason !== 'interrupted')
    const scheduled = ended.filter(({ manual }) => manual !== true)
    const success = heads.findIndex(({ status }) => status !== null && isSuccess(status))
    const offsetsMs = [0, ...retryOffsetsMs('webhooks', context.readings())]
    const origin = ended[0]?.at ?? 0
    const due = (place: number) => (place === 0 ? job.created_at : origin + (offsetsMs[place] ?? Number.NaN))
    return [
      heads.every(({ number }, place) => number === place + 1) ? [] : ['I-count'],
      success === -1 || success === heads.length - 1 ? [] : ['I-stop'],
      scheduled.length <= offsetsMs.length ? [] : ['I-stop: too many'],
      scheduled.every(({ due_at }, place) => due_at === due(place)) ? [] : ['I-schedule'],
      heads.every(({ due_at, started_at }) => started_at >= due_at) ? [] : ['I-schedule: early'],
      job.status === (ended.length === 0 ? 'pending' : success === -1 ? 'failed' : 'success')
        ? []
        : ['I-status'],
      job.status === 'success' && job.next_due_at !== null ? ['I-stop: still due'] : [],
    ].flatMap((names) => names.map((name) => `${name} ${job.id} ${JSON.stringify(heads)}`))
  })
}

test('every trigger has its job, and every job its attempts in time, after any actions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(...moves, ...faults, ...worlds), { minLength: 3, maxLength: 25 }),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 40 }),
      async (acts, answers) => {
        const sandbox = testSandbox({
          script: (_, sent) => (sent === 0 || answers[sent % answers.length] ? 200 : 500),
        })
        await sandbox.register()
        const run: Run = { snapshot: undefined, triggers: 0, triggersAtSnapshot: 0 }
        for (const { act } of acts) await act(sandbox, run)
        await sandbox.control('DELETE', '/faults')
        await movingOn(sandbox, atRest(sandbox))
        await movingOn(sandbox, sandbox.control('POST', '/clock/advance', { by: '3d' }))

        expect({
          broken: broken(sandbox),
          jobs: sandbox.store.jobs().length,
          due: sandbox.store.jobs().filter(({ next_due_at }) => next_due_at !== null),
          errors: sandbox.errors,
        }).toEqual({ broken: [], jobs: run.triggers, due: [], errors: [] })
      },
    ),
    { numRuns: 60 },
  )
})
