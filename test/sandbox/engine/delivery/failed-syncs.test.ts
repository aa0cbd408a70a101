import { expect, test } from 'vitest'
import type { Message } from '../../../../sandbox/engine/core/ports.ts'
import { testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'
import { createFailingDisk } from '../../../support/stores.ts'

// An entry is written, but the wait until it is safe fails.

const nameOf = ({ body }: Message): string => JSON.parse(Buffer.from(body).toString('utf8')).items?.name

/** The names of the items posted so far, the test POST aside. */
const posted = ({ transport }: TestSandbox): string[] => transport.messages.slice(1).map(nameOf)

/** A receiver that answers the first notification of the item when the test says so. */
function receiver() {
  const { promise, resolve } = Promise.withResolvers<number>()
  return {
    answer: () => resolve(200),
    script: (message: Message) => (nameOf(message) === 'Slow' ? promise : 200),
  }
}

/** One notification of an item is sent, and another one waits for it. */
async function sendFirstOfTwo(sandbox: TestSandbox): Promise<string> {
  await sandbox.register()
  const { body } = await sandbox.control('POST', '/objects/items', { name: 'Slow' })
  await sandbox.control('PATCH', `/objects/items/${body.id}`, { name: 'Second' })
  await expect.poll(() => posted(sandbox)).toEqual(['Slow'])
  return body.id
}

test('an object goes on when a disk that was full for who waited has room again', async () => {
  const disk = createFailingDisk()
  const { script, answer } = receiver()
  const sandbox = testSandbox({ store: disk.open(), script })
  await sendFirstOfTwo(sandbox)

  disk.failSyncs('full')
  answer()
  await expect.poll(() => sandbox.store.problem?.kind).toBe('full')
  disk.repair()

  await expect
    .poll(() => {
      sandbox.realTime.move(100)
      return posted(sandbox)
    })
    .toEqual(['Slow', 'Second'])
})

test('an attempt that a kill cut off is on record once, though the disk is full for who waits for that', async () => {
  const disk = createFailingDisk()
  const before = testSandbox({
    store: disk.open(),
    script: (_, index) => (index === 0 ? 200 : new Promise(() => {})),
  })
  await before.register()
  await before.control('POST', '/objects/items', { name: 'Before' })
  await expect.poll(() => posted(before)).toEqual(['Before'])

  disk.failSyncs('full')
  const again = testSandbox({ store: disk.open() })
  await expect.poll(() => again.store.problem?.kind).toBe('full')
  disk.repair()
  await expect
    .poll(() => {
      again.realTime.move(1_000)
      return again.store.jobs().map(({ status }) => status)
    })
    .toEqual(['success'])

  const attempts = again.store.jobs().flatMap((job) => again.store.attempts(job))
  expect(attempts.map(({ head }) => [head.number, head.reason ?? head.status])).toEqual([
    [1, 'interrupted'],
    [2, 200],
  ])
})

test('a sandbox that stops records the end that a full disk has refused', async () => {
  const disk = createFailingDisk()
  const sandbox = testSandbox({ store: disk.open(), script: () => 200 })
  await sandbox.register()
  disk.fail('full', (entries) => entries.some(({ head }) => head.kind === 'attempt'))
  sandbox.store.onProblem((problem) => {
    disk.repair()
    if (problem) sandbox.store.recover()
  })
  await sandbox.control('POST', '/objects/items', {})
  await expect.poll(() => sandbox.problems.length).toBe(2)

  await sandbox.close()

  const ends = [...sandbox.store.entries()].filter(({ head }) => head.kind === 'attempt')
  expect(ends).toHaveLength(1)
})
