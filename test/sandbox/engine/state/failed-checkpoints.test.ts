import { expect, test } from 'vitest'
import { createMemoryLog, type Log } from '../../../../sandbox/engine/state/log.ts'
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
      throw new Error('the disk is full')
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
