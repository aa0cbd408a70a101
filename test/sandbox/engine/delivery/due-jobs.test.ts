import { array, assert, boolean, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from '../../../../sandbox/adapters/clock.ts'
import { createDueJobs, type DueJobsPorts } from '../../../../sandbox/engine/delivery/due-jobs.ts'
import { manualTime, testSandbox } from '../../../support/test-sandbox.ts'
import type { Message } from '../../../../sandbox/engine/core/ports.ts'
import { createDeliveryQueue } from '../../../../sandbox/engine/delivery/delivery-queue.ts'
import type { JobRecord } from '../../../../sandbox/engine/state/job.ts'
import { createFailingDisk } from '../../../support/stores.ts'

/** A store of jobs with only a due time. */
function dueStore(dueAts: readonly number[], isOrdered: boolean) {
  const due = new Map(dueAts.map((dueAt, ordinal) => [ordinal, dueAt]))
  const reads: number[] = []
  const dueJobs: DueJobsPorts['store']['dueJobs'] = (until = Infinity, limit = Infinity) => {
    const all = [...due].map(([ordinal, dueAt]) => ({ ordinal, dueAt }))
    const found = isOrdered
      ? all
          .toSorted((a, b) => a.dueAt - b.dueAt || a.ordinal - b.ordinal)
          .filter(({ dueAt }) => dueAt <= until)
          .slice(0, limit)
      : all
    reads.push(found.length)
    return found
  }
  return { due, reads, dueJobs, jobCount: () => dueAts.length }
}

function openDueJobs({
  dueAts,
  isOrdered,
}: {
  readonly dueAts: readonly number[]
  readonly isOrdered: boolean
}) {
  const store = dueStore(dueAts, isOrdered)
  const clock = createClock(manualTime(), { startAt: 0, speed: 0 })
  const queued: number[] = []
  const dueJobs = createDueJobs({
    clock,
    store,
    countQueued: () => queued.length,
    onDue: (ordinal) => queued.push(ordinal),
    pageSize: 3,
  })
  return { store, clock, queued, dueJobs }
}

/** Jobs become due, are attempted again later, and other jobs arrive meanwhile. */
const SETTING = record({
  dueAts: array(integer({ min: 0, max: 20 }), { maxLength: 30 }),
  isOrdered: boolean(),
  retryAfter: integer({ min: 1, max: 15 }),
  /** The number of attempted jobs at each instant. */
  places: integer({ min: 0, max: 5 }),
  added: array(integer({ min: 1, max: 20 }), { maxLength: 10 }),
})

test('each job is called back once per due time', () => {
  assert(
    property(SETTING, ({ dueAts, isOrdered, retryAfter, places, added }) => {
      const { store, clock, queued, dueJobs } = openDueJobs({ dueAts, isOrdered })
      const found: string[] = []
      const expected = [...store.due].flatMap(([ordinal, dueAt]) => [
        `${ordinal} at ${dueAt}`,
        `${ordinal} again`,
      ])
      dueJobs.start()
      const retried = new Set<number>()
      for (let now = 0; now <= 70; now++) {
        clock.moveTo(now)
        const dueAt = added[now]
        if (dueAt !== undefined) {
          const ordinal = 100 + now
          store.due.set(ordinal, now + dueAt)
          expected.push(`${ordinal} at ${now + dueAt}`, `${ordinal} again`)
          dueJobs.add({ ordinal, next_due_at: now + dueAt })
        }
        const next = Math.min(...[...store.due].flatMap(([id, at]) => (queued.includes(id) ? [] : [at])))
        expect(dueJobs.nextDueAt() ?? Infinity).toBe(next)
        for (const ordinal of queued.splice(0, now < 50 ? places : Infinity)) {
          found.push(retried.has(ordinal) ? `${ordinal} again` : `${ordinal} at ${store.due.get(ordinal)}`)
          if (retried.has(ordinal)) store.due.delete(ordinal)
          else store.due.set(ordinal, now + retryAfter)
          const next_due_at = store.due.get(ordinal) ?? null
          retried.add(ordinal)
          dueJobs.add({ ordinal, next_due_at })
        }
      }

      expect(found.toSorted()).toEqual(expected.toSorted())
    }),
  )
})

test('far due times stay in the store', () => {
  const { store, clock, queued, dueJobs } = openDueJobs({
    dueAts: Array.from({ length: 100 }, (_, ordinal) => ordinal),
    isOrdered: true,
  })

  dueJobs.start()
  const before = [dueJobs.nextDueAt(), queued.length, Math.max(...store.reads)]
  clock.moveTo(99)

  expect([before, queued]).toEqual([[1, 1, 3], Array.from({ length: 100 }, (_, ordinal) => ordinal)])
})

test('an unsynced job waits for its own announcement', () => {
  const { store, queued, dueJobs } = openDueJobs({ dueAts: [0], isOrdered: true })
  dueJobs.start()
  store.due.delete(0)
  store.due.set(1, 0)

  dueJobs.ring()
  const before = [...queued]
  dueJobs.add({ ordinal: 1, next_due_at: 0 })

  expect([before, queued]).toEqual([[0], [0, 1]])
})

// All due jobs wait when the store rejects writes.

const MANY = 300

const isTest = ({ body }: Message) => Buffer.from(body).toString('utf8').includes('"message"')

/** A sandbox with many due jobs. A receiver holds 64 of them. */
async function openWithMany() {
  const { promise: answer, resolve } = Promise.withResolvers<number>()
  let reads = 0
  const disk = createFailingDisk()
  const store = disk.open()
  const { jobBody } = store
  Object.assign(store, {
    jobBody(job: JobRecord) {
      reads++
      return jobBody(job)
    },
  })
  const sandbox = testSandbox({ store, script: (message) => (isTest(message) ? 200 : answer) })
  await sandbox.register()
  for (let index = 0; index < MANY; index++) await sandbox.control('POST', '/objects/items', { name: 'x' })
  await expect.poll(() => sandbox.transport.messages.length).toBe(1 + 64)
  return { sandbox, disk, answer: () => resolve(200), reads: () => reads }
}

test('waiting jobs are not read while the disk is full, and sent afterwards', async () => {
  const { sandbox, disk, answer, reads } = await openWithMany()

  disk.fail('full')
  const before = reads()
  answer()
  await sandbox.idle()
  const [read, sent] = [reads() - before, sandbox.transport.messages.length]
  disk.repair()
  await expect
    .poll(() => {
      sandbox.realTime.move(1_000)
      return sandbox.store.jobs().filter(({ status }) => status === 'success').length
    })
    .toBe(MANY)

  // The ended attempts, and the next one.
  expect([read <= 64, sent]).toEqual([true, 1 + 64])
})

test('a stalled job is checked only a few times during a wait', async () => {
  const { sandbox, answer } = await openWithMany()
  const queue = createDeliveryQueue({
    store: sandbox.store,
    realTime: { soon: (run) => void setImmediate(run), after: () => () => {} },
    faults: { match: () => [], hold: () => undefined, releaseOvertaken: () => {} },
    concurrency: 1,
    findPayment: () => undefined,
    attempt: async () => 'later',
    isDue: () => true,
    onEnded: () => {},
  })
  let looks = 0
  for (const job of sandbox.store.jobs()) void queue.add(job, false)

  await queue.idle(() => ++looks > 0)

  expect([looks > 0, looks <= 5 * MANY]).toEqual([true, true])
  answer()
  await sandbox.idle()
})
