import { expect, test } from 'vitest'
import { createMemoryLog, StorageError, type Log } from '../../../../sandbox/engine/state/log.ts'
import { createGroupCommit } from '../../../../sandbox/engine/state/group-commit.ts'
import { createStoredIndexes } from '../../../../sandbox/engine/state/stored-indexes.ts'

test('a checkpoint that cannot be kept is tried again when as much has come, and not at each entry', async () => {
  let tried = 0
  const kept = createMemoryLog()
  const log: Log = {
    ...kept,
    keepsCheckpoints: true,
    get length() {
      return kept.length
    },
    writeCheckpoint() {
      tried++
      throw new StorageError('full', 'The disk is full')
    },
  }
  const indexes = createStoredIndexes(log, { running: 10, closing: 5 })

  for (let at = 1; at <= 35; at++) {
    const head = { kind: 'clock', at } as const
    log.append([{ head, body: '' }])
    indexes.apply(head)
    await indexes.keepSoon()
  }

  expect(tried).toBe(3)
})

test('a disk that fails at a checkpoint is a problem of the store', async () => {
  const failure = new StorageError('failed', 'The disk failed')
  const writer = createGroupCommit({
    log: createMemoryLog(),
    indexes: {
      length: 0,
      apply: () => {},
      reload: () => {},
      catchUp: () => [],
      keepSoon: () => Promise.reject(failure),
    },
    soon: queueMicrotask,
    emit: () => {},
  })
  const told = Promise.withResolvers<unknown>()
  writer.state.onChange(told.resolve)

  await writer.commit([{ head: { kind: 'clock', at: 1 }, body: '' }], 'machine')

  expect(await told.promise).toBe(failure)
})

test('a disk that fails at a checkpoint is told of', async () => {
  const log: Log = {
    ...createMemoryLog(),
    keepsCheckpoints: true,
    writeCheckpoint() {
      throw new StorageError('failed', 'The disk failed')
    },
  }
  const indexes = createStoredIndexes(log, { running: 0, closing: 0 })

  await expect(indexes.keepSoon()).rejects.toThrow('The disk failed')
  expect(() => indexes.keepLast()).toThrow('The disk failed')
})
