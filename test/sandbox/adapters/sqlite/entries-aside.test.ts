import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createEntriesAside } from '../../../../sandbox/adapters/sqlite/entries-aside.ts'
import { StorageError, type StorageErrorKind } from '../../../../sandbox/engine/state/log.ts'

/** Tables aside on a disk that fails as one of them is erased. */
async function eraseOn(kind: StorageErrorKind) {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  const erased = Promise.withResolvers<void>()
  const aside = createEntriesAside('store.sqlite', {
    database,
    rows: { write: () => {}, markWritten: () => {}, markShapes: () => {} },
    onWritten() {
      erased.resolve()
      throw new StorageError(kind, 'The disk failed')
    },
    onPublish: () => {},
    onPublished: () => {},
  })
  aside.stage().discard()
  // The eraser does not keep a process alive; this does.
  await setImmediate()
  await erased.promise
  return aside
}

test('a disk that fails as entries are erased says so at the next write', async () => {
  const aside = await eraseOn('failed')

  expect(aside.check).toThrow('The disk failed')
  expect(aside.stage).toThrow('The disk failed')
})

test('entries that a full disk keeps from being erased are left to the next start', async () => {
  const aside = await eraseOn('full')

  expect(aside.check).not.toThrow()
})
