import { expect, test } from 'vitest'
import type { Message } from '../../../../sandbox/engine/core/ports.ts'
import { createDeliveryQueue } from '../../../../sandbox/engine/delivery/delivery-queue.ts'
import type { JobRecord } from '../../../../sandbox/engine/state/job.ts'
import { createFailingDisk } from '../../../support/stores.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

// All that is due stalls at once when nothing can be put on record.

const MANY = 300

const isTest = ({ body }: Message) => Buffer.from(body).toString('utf8').includes('"message"')

/** A sandbox with many jobs that are due, 64 of which a receiver has that does not answer yet. */
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

test('what waits is not read as long as nothing can be put on record, and sent when it can', async () => {
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

  // Those whose attempts had ended, and the first that then began.
  expect([read <= 64, sent]).toEqual([true, 1 + 64])
})

test('whoever waits looks a few times at each of many jobs, though each of them stalls', async () => {
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
