import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { StorageError } from '../../../../sandbox/engine/state/storage-error.ts'
import type { Durability } from '../../../../sandbox/engine/state/synced-batches.ts'
import { createWatchedDatabase, NO_DISK, openFileStore, openMemoryStore } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clockAt = (at: number): Entry => ({ head: { kind: 'clock', at }, body: '' })

/** Opens a store whose syncs the test completes. */
function openStore() {
  const waits: PromiseWithResolvers<void>[] = []
  const { writes, open } = createWatchedDatabase({
    sync() {
      const wait = Promise.withResolvers<void>()
      waits.push(wait)
      return wait.promise
    },
  })
  const store = open()
  const heard: number[] = []
  store.subscribe(({ at }) => heard.push(at))
  const settled: string[] = []
  const commit = (at: number, durability: Durability = 'machine') => {
    void store.commit([clockAt(at)], durability).then(
      () => settled.push(`${at} kept`),
      (error: Error) => settled.push(`${at} ${error.message}`),
    )
    return turn()
  }
  const endSync = (index: number, error?: Error) => {
    if (error) waits[index]?.reject(error)
    else waits[index]?.resolve()
    return turn()
  }
  return { store, writes, waits, heard, settled, commit, endSync }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a store acknowledges a change only after the sync to disk', async () => {
  const { waits, heard, settled, commit, endSync } = openStore()

  await commit(1)
  expect([heard, settled, waits.length]).toEqual([[], [], 1])
  await endSync(0)

  expect([heard, settled]).toEqual([[1], ['1 kept']])
})

test('changes during a sync are written and covered by the next sync', async () => {
  const { writes, waits, heard, settled, commit, endSync } = openStore()
  for (const at of [1, 2, 3]) {
    await commit(at)
  }
  expect([writes.map(({ length }) => length), waits.length]).toEqual([[1], 1])
  await endSync(0)
  expect([writes.map(({ length }) => length), waits.length, heard]).toEqual([[1, 2], 2, [1]])
  await endSync(1)

  expect([heard, settled, waits.length]).toEqual([[1, 2, 3], ['1 kept', '2 kept', '3 kept'], 2])
})

test('a change with the durability "process" does not cause an additional sync', async () => {
  const { waits, heard, settled, commit, endSync } = openStore()
  await commit(1)
  await commit(2, 'process')
  expect([heard, settled]).toEqual([[], []])
  await endSync(0)

  expect([heard, settled, waits.length]).toEqual([[1, 2], ['1 kept', '2 kept'], 1])
})

test('changes that a store subscriber commits at the end of a sync are written', async () => {
  const { store, writes, settled, commit, endSync } = openStore()
  store.subscribe(({ at }) => at === 2 && void commit(3))
  await commit(1)
  void commit(2, 'process')
  await endSync(0)
  await turn()
  await endSync(1)

  expect([writes.length, settled]).toEqual([3, ['1 kept', '2 kept', '3 kept']])
})

test('a change with the durability "process" is acknowledged immediately when no sync is running', async () => {
  const { waits, heard, commit } = openStore()

  await commit(1, 'process')

  expect([heard, waits.length]).toEqual([[1], 0])
})

test('a failed sync rejects the waiting and all later changes', async () => {
  const { store, waits, heard, settled, commit, endSync } = openStore()
  await commit(1)
  await commit(2)
  await endSync(0, new Error('the disk is broken'))
  await commit(3)

  const told = 'Cannot write the store: the disk is broken'
  expect([heard, settled, waits.length]).toEqual([[], [`1 ${told}`, `2 ${told}`, `3 ${told}`], 1])
  expect(store.problem?.kind).toBe('failed')
})

test('closing a store waits until the sync to disk has finished', async () => {
  const { store, heard, settled, commit, endSync } = openStore()
  await commit(1)
  void commit(2)
  store.close()
  await turn()
  await endSync(0)

  expect(heard).toEqual([1, 2])
  expect(settled).toEqual(['1 kept', '2 kept'])
})

test('a change that was rejected because the disk was full is announced to subscribers after a later sync', async () => {
  const { store, heard, settled, commit, endSync } = openStore()
  await commit(1)
  await endSync(0, new StorageError('full', 'full'))
  await commit(2)
  const meanwhile = [...settled]

  store.recover()
  await commit(3)
  await endSync(1)

  expect([meanwhile, settled.slice(2), heard]).toEqual([['1 full', '2 full'], ['3 kept'], [1, 3]])
})

test('closing a store does not access a failed disk again', async () => {
  const { store, waits, commit, endSync } = openStore()
  await commit(1)
  await endSync(0, new StorageError('failed', 'failed'))

  store.close()

  expect([store.problem?.kind, waits.length]).toEqual(['failed', 1])
})

test('when a store is opened, it first syncs the writes that a killed process left behind', async () => {
  const path = join(temporaryFolder(), 'store.sqlite')
  const first = openFileStore(path)
  await first.commit([clockAt(1)])
  first.close()
  const disk = { ...NO_DISK, syncNow: vi.fn() }

  openMemoryStore({ openDisk: () => disk })
  const syncsOfEmpty = disk.syncNow.mock.calls.length
  openFileStore(path, { openDisk: () => disk }).close()

  expect([syncsOfEmpty, disk.syncNow.mock.calls[0]]).toEqual([0, [expect.objectContaining({ length: 1 })]])
})

test('a change is rejected when the sync of a replaced world fails', async () => {
  const { store, waits, settled, commit, endSync } = openStore()
  await commit(1)
  const staged = store.stage()
  staged.add([clockAt(5)])
  const prepared = staged.prepare().then(
    () => 'prepared',
    (error: Error) => error.message,
  )
  await turn()
  const underWay = waits.length
  await endSync(0)
  waits[1]?.reject(new StorageError('failed', 'The disk failed'))

  // If two syncs ran at the same time, the disk would report the failure to only one sync.
  expect([underWay, await prepared, settled]).toEqual([1, 'The disk failed', ['1 kept']])
})
