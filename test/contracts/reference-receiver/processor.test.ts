import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  openProcessor,
  policy,
  type Processor,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import type { ShowResult } from '../../../contracts/reference-receiver/starter/service.mjs'
import {
  openStore,
  type Notification,
  type Store,
} from '../../../contracts/reference-receiver/starter/store.mjs'

const DEBIT = { id: 'b1', type: 'payment', type_method: 'direct_debit', amount: 1_200, currency: 'AUD' }
const BUSY: ShowResult = { kind: 'unavailable', status: 503, retryAfterMs: 0 }

const shown = (fields: object): ShowResult => ({
  kind: 'shown',
  body: { batch_transactions: { ...DEBIT, updated_at: '2026-01-01T00:00:00.000Z', ...fields } },
})
const notification = (changes: Partial<Notification> = {}): Notification => ({
  type: 'batch_transactions',
  id: 'b1',
  generation: 'webhooks',
  body: '{}',
  ...changes,
})

interface Core {
  readonly processor: Processor
  readonly paths: readonly string[]
  /** Resolves once nothing is left in the inbox. */
  untilIdle(): Promise<void>
}

/** A core whose service answers these, the last one again and again. */
function coreOver(
  answers: readonly [ShowResult, ...ShowResult[]],
  { store = openStore(':memory:') }: { readonly store?: Store } = {},
): Core {
  const paths: string[] = []
  const rules = {
    ...policy,
    retryDelay: (...failure: Parameters<typeof policy.retryDelay>) =>
      policy.retryDelay(...failure) === undefined ? undefined : 0,
  }
  const show = (path: string) => {
    const answer = answers[paths.push(path) - 1] ?? answers.at(-1) ?? answers[0]
    return Promise.resolve(answer)
  }
  const processor = openProcessor({
    store,
    service: { show },
    rules,
    onError: (error) => expect.fail(String(error)),
  })
  onTestFinished(() => processor.close())
  const untilIdle = () =>
    vi.waitFor(() => expect(store.entries()).toEqual([]), { timeout: 10_000, interval: 5 })
  return { processor, paths, untilIdle }
}

test('a core acts once on what succeeded, however often it is told', async () => {
  const { processor, untilIdle } = coreOver([shown({ state: 'successful' })])

  processor.accept(notification())
  processor.accept(notification({ generation: 'callbacks' }))
  await untilIdle()
  processor.accept(notification())
  await untilIdle()

  expect(processor.readEffects('batch_transactions', 'b1')).toEqual({
    effects: 1,
    state: 'successful',
    amount: 1_200,
    currency: 'AUD',
  })
})

test('a core believes the service, and not the body', async () => {
  const { processor, untilIdle } = coreOver([shown({ state: 'bank_processing' })])

  processor.accept(
    notification({ body: JSON.stringify({ batch_transactions: { ...DEBIT, state: 'successful' } }) }),
  )
  await untilIdle()

  expect(processor.readEffects('batch_transactions', 'b1')).toMatchObject({
    effects: 0,
    state: 'bank_processing',
  })
})

test('a core asks again until the service answers', async () => {
  const { processor, paths, untilIdle } = coreOver([BUSY, BUSY, shown({ state: 'successful' })])

  processor.accept(notification())
  await untilIdle()

  expect([paths.length, processor.readEffects('batch_transactions', 'b1').effects]).toEqual([3, 1])
})

test('a core gives up on what does not exist', async () => {
  const { processor, paths, untilIdle } = coreOver([{ kind: 'missing' }])

  processor.accept(notification({ id: 'fabricated' }))
  await untilIdle()

  expect([paths.length, processor.readEffects('batch_transactions', 'fabricated')]).toEqual([
    4,
    { effects: 0, state: null },
  ])
})

test('a core asks by one segment of a path, or not at all', async () => {
  const { processor, paths, untilIdle } = coreOver([{ kind: 'missing' }])

  for (const id of ['a/../x?y#z', '..', '.', '%2e']) processor.accept(notification({ id }))
  await untilIdle()

  expect(new Set(paths)).toEqual(
    new Set(['/batch_transactions/a%2F..%2Fx%3Fy%23z', '/batch_transactions/%252e']),
  )
})

test('a core shows what it did by each id of the extended form', async () => {
  const { processor, untilIdle } = coreOver([shown({ id: 612, uuid: 'u1', state: 'successful' })])

  processor.accept(notification({ id: '612' }))
  processor.accept(notification({ id: 'u1' }))
  await untilIdle()

  expect(['612', 'u1'].map((id) => processor.readEffects('batch_transactions', id).effects)).toEqual([1, 1])
})

test('a core goes on after a restart with what it had not dealt with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-core-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'store.sqlite')
  const before = openStore(file)
  before.put(notification(), 0)
  before.close()

  const { processor, untilIdle } = coreOver([shown({ state: 'successful' })], { store: openStore(file) })
  await untilIdle()

  expect(processor.readEffects('batch_transactions', 'b1').effects).toBe(1)
})
