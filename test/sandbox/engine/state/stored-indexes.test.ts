import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { createIndexData } from '../../../../sandbox/engine/state/index-data.ts'
import type { Checkpoint, LocalLog, Log } from '../../../../sandbox/engine/state/log.ts'
import { createMemoryLog, StorageError } from '../../../../sandbox/engine/state/log.ts'
import { createStoredIndexes, type StoredIndexes } from '../../../../sandbox/engine/state/stored-indexes.ts'

const EACH = { running: 1, closing: 1 }
const ids = fc.constantFrom(
  '0a000000-0000-4000-8000-000000000001',
  '0a000000-0000-4000-8000-000000000002',
  'own',
)
const URL = 'https://localhost:9443/items'

/** Heads of every kind that the indexes take in, about few ids, so that they meet. */
const entry: fc.Arbitrary<Entry> = fc
  .oneof(
    fc.record({
      kind: fc.constant('object'),
      object_type: fc.constantFrom('users', 'accounts', 'items'),
      id: ids,
      revision: fc.nat({ max: 9 }),
      aliases: fc.uniqueArray(fc.constantFrom('7', 'seven'), { maxLength: 2 }),
      owner: fc.option(fc.record({ user_id: ids, account_kind: fc.constantFrom('bank', 'wallet') }), {
        nil: undefined,
      }),
    }),
    fc.record({
      kind: fc.constant('job'),
      id: ids,
      generation: fc.constantFrom('webhooks', 'callbacks'),
      registration_id: fc.constantFrom('r1', 'r2'),
      object_type: fc.constantFrom('users', 'accounts'),
      object_id: ids,
      revision: fc.constant(1),
      state: fc.constantFrom(null, 'pending'),
      url: fc.constant(URL),
    }),
    fc.record({ kind: fc.constant('attempt-start'), job_id: ids }),
    fc.record({
      kind: fc.constant('attempt'),
      job_id: ids,
      number: fc.integer({ min: 1, max: 3 }),
      status: fc.constant(500),
      reason: fc.constantFrom(null, 'http_500', 'interrupted'),
      next_due_at: fc.constantFrom(null, 900),
      manual: fc.constantFrom(true, undefined),
    }),
    fc.record({ kind: fc.constant('cancellation'), job_id: ids }),
    fc.record({
      kind: fc.constant('registration'),
      registration: fc.record({
        id: fc.constantFrom('r1', 'r2'),
        generation: fc.constant('webhooks'),
        object_type: fc.constant('items'),
        enabled: fc.boolean(),
        url: fc.constant(URL),
      }),
    }),
    fc.record({ kind: fc.constant('deletion'), registration_id: fc.constantFrom('r1', 'r2') }),
    fc.record({ kind: fc.constant('payment'), payment: fc.record({ id: ids, step: fc.nat({ max: 3 }) }) }),
    fc.record({
      kind: fc.constant('next-outcome'),
      payment_kind: fc.constantFrom('a', 'b'),
      outcome: fc.constantFrom(null, 'fails'),
    }),
    fc.record({ kind: fc.constant('secret'), set_at: fc.nat() }),
    fc.record({
      kind: fc.constant('readings'),
      chosen: fc.record({ signature: fc.constantFrom('hmac', 'off') }),
    }),
    fc.record({ kind: fc.constant('fault'), fault: fc.record({ id: ids, on: fc.constant('delivery') }) }),
    fc.record({ kind: fc.constant('fault-end'), fault_id: ids }),
    fc.record({
      kind: fc.constant('fault-use'),
      fault_id: ids,
      applied: fc.boolean(),
      job_id: ids,
      attempt: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ kind: fc.constant('crafted'), id: ids }),
    fc.record({ kind: fc.constant('clock'), speed: fc.constantFrom(undefined, 0, 50) }),
  )
  .chain((head) => fc.nat({ max: 1_000 }).map((at) => ({ head: { ...head, at }, body: '' }) as Entry))

const history = fc.array(entry, { maxLength: 60, size: 'max' })

/** Whoever reads one may do with it as they like. */
function copyOf(kept: Checkpoint | undefined): Checkpoint | undefined {
  return kept && { ...kept, bytes: new Uint8Array(kept.bytes) }
}

/** A log in memory that keeps checkpoints, as SQLite does. */
function keepingLog(): LocalLog & { kept: Checkpoint | undefined } {
  const log = createMemoryLog()
  return {
    ...log,
    kept: undefined,
    keepsCheckpoints: true,
    get length() {
      return log.length
    },
    readCheckpoint() {
      return copyOf(this.kept)
    },
    writeCheckpoint(checkpoint) {
      this.kept = checkpoint
    },
  }
}

function addAll(log: Log, indexes: StoredIndexes, entries: readonly Entry[]): void {
  log.append(entries)
  for (const { head } of entries) indexes.apply(head)
}

/** Everything that the indexes hold, whatever the order in which it was asked for. */
function contentOf(indexes: StoredIndexes) {
  const { columns, rest } = indexes.copy()
  const { lists, maps, records } = JSON.parse(rest)
  return {
    columns: new Map([...columns].map(({ name, ...column }) => [name, column])),
    rest: [lists, maps, records].map((named) => new Map(named)),
  }
}

function replayed(log: Log): StoredIndexes {
  return createStoredIndexes({ ...log, length: log.length, readCheckpoint: () => undefined }, EACH)
}

test('indexes from a checkpoint and the tail behind it are those of a whole replay', () => {
  fc.assert(
    fc.property(fc.array(history, { minLength: 1, maxLength: 4 }), history, (runs, tail) => {
      const log = keepingLog()
      // Each run begins with the checkpoint of the one before, and is closed; the last one is killed.
      for (const entries of runs) {
        const indexes = createStoredIndexes(log, EACH)
        addAll(log, indexes, entries)
        indexes.keepLast()
      }
      log.append(tail)
      let replays = 0
      const counted: Log = {
        ...log,
        length: log.length,
        readCheckpoint: () => copyOf(log.kept),
        *heads(after) {
          for (const head of log.heads(after)) {
            replays++
            yield head
          }
        },
      }

      const indexes = createStoredIndexes(counted, EACH)

      expect(contentOf(indexes)).toEqual(contentOf(replayed(log)))
      expect(replays).toBe(tail.length)
    }),
  )
})

test('a checkpoint that is written while more comes is of the moment at which it was begun', async () => {
  await fc.assert(
    fc.asyncProperty(history, history, async (before, after) => {
      const log = keepingLog()
      const indexes = createStoredIndexes(log, EACH)
      addAll(log, indexes, before)
      const keeping = indexes.keepSoon()
      addAll(log, indexes, after)
      await keeping

      expect(log.kept?.position).toBe(before.length > 0 ? before.length : undefined)
      expect(contentOf(createStoredIndexes(log, EACH))).toEqual(contentOf(replayed(log)))
    }),
    { numRuns: 30 },
  )
})

const SOME = fc.sample(entry, { numRuns: 40, seed: 1 })

test('a checkpoint that cannot be read, or is beyond the log, is left aside', () => {
  const log = keepingLog()
  const first = createStoredIndexes(log, EACH)
  addAll(log, first, SOME)
  first.keepLast()
  const { position, bytes } = log.kept ?? expect.fail('nothing was kept')
  const other = Buffer.from(bytes)
  other.set(Buffer.from('0 of'), other.indexOf('3 of'))
  const damaged: readonly Checkpoint[] = [
    { position, bytes: bytes.subarray(0, -1) },
    { position, bytes: bytes.subarray(0, 100) },
    { position, bytes: new Uint8Array() },
    { position, bytes: other },
    { position: position + 1, bytes },
  ]

  for (const kept of damaged) {
    log.kept = kept
    expect(contentOf(createStoredIndexes(log, EACH))).toEqual(contentOf(first))
  }
})

test('no checkpoint is written of what the log does not hold, nor after the last one', async () => {
  const log = keepingLog()
  const indexes = createStoredIndexes(log, EACH)
  for (const { head } of SOME) indexes.apply(head)
  await indexes.keepSoon()
  indexes.keepLast()
  expect(log.kept).toBeUndefined()

  indexes.reload()
  addAll(log, indexes, SOME)
  const keeping = indexes.keepSoon()
  indexes.keepLast()
  const last = log.kept
  await keeping

  expect([last?.position, log.kept === last]).toEqual([SOME.length, true])
})

test('a checkpoint that is under way when everything is replaced is not written', async () => {
  const log = keepingLog()
  const indexes = createStoredIndexes(log, EACH)
  addAll(log, indexes, SOME)

  const keeping = indexes.keepSoon()
  log.replace([])
  indexes.reload()
  await keeping

  expect(log.kept).toBeUndefined()
})

test('a checkpoint spares enough to be worth its time', async () => {
  const log = keepingLog()
  const indexes = createStoredIndexes(log, { running: 10, closing: 5 })
  const positions: (number | undefined)[] = []
  for (let count = 0; count < 30; count++) {
    addAll(log, indexes, SOME.slice(0, 1))
    await indexes.keepSoon()
    positions.push(log.kept?.position)
  }
  indexes.keepLast()

  expect([...new Set(positions), log.kept?.position]).toEqual([undefined, 10, 20, 30, 30])
})

test('a store that cannot keep a checkpoint goes on', async () => {
  const log: Log = {
    ...keepingLog(),
    writeCheckpoint() {
      throw new StorageError('full', 'The disk is full')
    },
  }
  const indexes = createStoredIndexes(log, { running: 0, closing: 0 })

  await expect(indexes.keepSoon()).resolves.toBeUndefined()
  expect(() => indexes.keepLast()).not.toThrow()
})

test('data of a copy are what they were copied from', () => {
  const data = createIndexData()
  data.column('numbers', 'f64').push(0.5)
  data.list<string>('list').push('one')
  data.map<number, string>('map').set(1, 'one')
  data.record('record', { latestAt: 0 }).latestAt = 5

  const again = createIndexData(data.copy())

  expect([
    again.column('numbers', 'f64').get(0),
    again.list('list'),
    again.map('map'),
    again.record('record', { latestAt: 0 }),
    again.names(),
  ]).toEqual([0.5, ['one'], new Map([[1, 'one']]), { latestAt: 5 }, ['numbers', 'list', 'map', 'record']])
})
