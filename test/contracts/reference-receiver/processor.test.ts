import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openProcessor, type Processor } from '../../../contracts/reference-receiver/processor.ts'
import { carefulPolicy } from '../../../contracts/reference-receiver/policy.ts'
import type { Notification } from '../../../contracts/reference-receiver/notification.ts'
import type { ShowResult } from '../../../contracts/reference-receiver/service-client.ts'
import { openStore, type Store } from '../../../contracts/reference-receiver/store.ts'

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

/** A core whose service answers these, the last one again and again. */
function coreOver(
  answers: readonly [ShowResult, ...ShowResult[]],
  { store = openStore(':memory:') }: { readonly store?: Store } = {},
): { readonly processor: Processor; readonly paths: readonly string[] } {
  const paths: string[] = []
  const policy = {
    ...carefulPolicy,
    retryDelay: (...failure: Parameters<typeof carefulPolicy.retryDelay>) =>
      carefulPolicy.retryDelay(...failure) === undefined ? undefined : 0,
  }
  const show = (path: string) => {
    const answer = answers[paths.push(path) - 1] ?? answers.at(-1) ?? answers[0]
    return Promise.resolve(answer)
  }
  const processor = openProcessor({
    store,
    service: { show },
    policy,
    onError: (error) => expect.fail(String(error)),
  })
  onTestFinished(() => processor.close())
  return { processor, paths }
}

test('a core acts once on what succeeded, however often it is told', async () => {
  const { processor } = coreOver([shown({ state: 'successful' })])

  processor.accept(notification())
  processor.accept(notification({ generation: 'callbacks' }))
  await processor.untilIdle()
  processor.accept(notification())
  await processor.untilIdle()

  expect(processor.readEffects('batch_transactions', 'b1')).toEqual({
    effects: 1,
    state: 'successful',
    amount: 1_200,
    currency: 'AUD',
  })
})

test('a core believes the service, and not the body', async () => {
  const { processor } = coreOver([shown({ state: 'bank_processing' })])

  processor.accept(
    notification({ body: JSON.stringify({ batch_transactions: { ...DEBIT, state: 'successful' } }) }),
  )
  await processor.untilIdle()

  expect(processor.readEffects('batch_transactions', 'b1')).toMatchObject({
    effects: 0,
    state: 'bank_processing',
  })
})

test('a core asks again until the service answers', async () => {
  const { processor, paths } = coreOver([BUSY, BUSY, shown({ state: 'successful' })])

  processor.accept(notification())
  await processor.untilIdle()

  expect([paths.length, processor.readEffects('batch_transactions', 'b1').effects]).toEqual([3, 1])
})

test('a core gives up on what does not exist', async () => {
  const { processor, paths } = coreOver([{ kind: 'missing' }])

  processor.accept(notification({ id: 'fabricated' }))
  await processor.untilIdle()

  expect([paths.length, processor.readEffects('batch_transactions', 'fabricated')]).toEqual([
    4,
    { effects: 0, state: null },
  ])
})

test('a core asks by one segment of a path, or not at all', async () => {
  const { processor, paths } = coreOver([{ kind: 'missing' }])

  for (const id of ['a/../x?y#z', '..', '.', '%2e']) processor.accept(notification({ id }))
  await processor.untilIdle()

  expect(new Set(paths)).toEqual(
    new Set(['/batch_transactions/a%2F..%2Fx%3Fy%23z', '/batch_transactions/%252e']),
  )
})

test('a core shows what it did by each id of the extended form', async () => {
  const { processor } = coreOver([shown({ id: 612, uuid: 'u1', state: 'successful' })])

  processor.accept(notification({ id: '612' }))
  processor.accept(notification({ id: 'u1' }))
  await processor.untilIdle()

  expect(['612', 'u1'].map((id) => processor.readEffects('batch_transactions', id).effects)).toEqual([1, 1])
})

test('a core goes on after a restart with what it had not dealt with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-core-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'store.sqlite')
  const before = openStore(file)
  before.put(notification(), 0)
  before.close()

  const { processor } = coreOver([shown({ state: 'successful' })], { store: openStore(file) })
  await processor.untilIdle()

  expect(processor.readEffects('batch_transactions', 'b1').effects).toBe(1)
})
