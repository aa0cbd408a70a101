import { array, assert, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { createClock } from '../../../../sandbox/adapters/clock.ts'
import { createDueWork } from '../../../../sandbox/engine/core/due-work.ts'
import { manualTime, testSandbox } from '../../../support/test-sandbox.ts'
import type { HttpMessage } from '../../../../sandbox/engine/core/ports.ts'
import { createDeliveryQueue } from '../../../../sandbox/engine/delivery/delivery-queue.ts'
import type { JobRecord } from '../../../../sandbox/engine/state/job.ts'
import { createFailingDisk } from '../../../support/stores.ts'

/** Creates a store with one job per due time. */
function openDueJobs(dueAts: readonly number[]) {
  const due = new Map(dueAts.map((dueAt, ordinal) => [ordinal, dueAt]))
  const clock = createClock(manualTime(), { startAt: 0, speed: 0 })
  const queued: number[] = []
  const jobAt = (ordinal: number) => ({ ordinal, next_due_at: due.get(ordinal) ?? null })
  const store = {
    due: (after: number, until: number) =>
      [...due]
        .toSorted((a, b) => a[1] - b[1] || a[0] - b[0])
        .flatMap(([ordinal, dueAt]) => (dueAt > after && dueAt <= until ? [ordinal] : [])),
    nextDueAt: (after: number) => [...due.values()].toSorted((a, b) => a - b).find((dueAt) => dueAt > after),
    at: jobAt,
    count: () => dueAts.length,
  }
  const dueJobs = createDueWork(clock, store, ({ ordinal }) => {
    if (!queued.includes(ordinal)) queued.push(ordinal)
  })
  return { due, clock, queued, dueJobs, add: (ordinal: number) => dueJobs.add(jobAt(ordinal)) }
}

/** The due times of jobs, the delay of their retries, and the due times of jobs that are added later. */
const SETTING = record({
  dueAts: array(integer({ min: 0, max: 20 }), { maxLength: 30 }),
  retryAfter: integer({ min: 1, max: 15 }),
  /** The number of jobs that are attempted at each instant. */
  places: integer({ min: 0, max: 5 }),
  added: array(integer({ min: 1, max: 20 }), { maxLength: 10 }),
})

test('due jobs are reported once for each due time', () => {
  assert(
    property(SETTING, ({ dueAts, retryAfter, places, added }) => {
      const { due, clock, queued, dueJobs, add } = openDueJobs(dueAts)
      const found: string[] = []
      const expected = dueAts.flatMap((dueAt, ordinal) => [`${ordinal} at ${dueAt}`, `${ordinal} again`])
      dueJobs.start()
      const retried = new Set<number>()
      for (let now = 0; now <= 70; now++) {
        clock.moveTo(now)
        const dueAt = added[now]
        if (dueAt !== undefined) {
          const ordinal = 100 + now
          due.set(ordinal, now + dueAt)
          expected.push(`${ordinal} at ${now + dueAt}`, `${ordinal} again`)
          add(ordinal)
        }
        const next = Math.min(...[...due].flatMap(([id, at]) => (queued.includes(id) ? [] : [at])))
        expect(dueJobs.nextDueAt() ?? Infinity).toBe(next)
        for (const ordinal of queued.splice(0, now < 50 ? places : Infinity)) {
          found.push(retried.has(ordinal) ? `${ordinal} again` : `${ordinal} at ${due.get(ordinal)}`)
          if (retried.has(ordinal)) due.delete(ordinal)
          else due.set(ordinal, now + retryAfter)
          retried.add(ordinal)
          add(ordinal)
        }
      }

      expect(found.toSorted()).toEqual(expected.toSorted())
    }),
  )
})

test('a due job is reported only after the job is added', () => {
  const { due, clock, queued, dueJobs, add } = openDueJobs([1])
  dueJobs.start()
  due.delete(0)
  due.set(1, 1)

  clock.moveTo(2)
  const before = [...queued]
  add(1)

  expect([before, queued]).toEqual([[], [1]])
})

// All due jobs wait when the disk is full.

const MANY = 300

const isTest = ({ body }: HttpMessage) => Buffer.from(body).toString('utf8').includes('"message"')

/** A sandbox with many due jobs. 64 of the jobs are in flight, and the receiver does not respond to them yet. */
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

test('waiting jobs are not read while the disk is full, but they are sent when the disk has space again', async () => {
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

  expect([read <= 64, sent]).toEqual([true, 1 + 64])
})

test('a blocked job is checked at most five times while it waits', async () => {
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
