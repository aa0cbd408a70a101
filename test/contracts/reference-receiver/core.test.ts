import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCore, type Core } from '../../../contracts/reference-receiver/core.ts'
import { careful } from '../../../contracts/reference-receiver/judgement.ts'
import type { Notice } from '../../../contracts/reference-receiver/notice.ts'
import type { Shown } from '../../../contracts/reference-receiver/service-client.ts'
import { openStore, type Store } from '../../../contracts/reference-receiver/store.ts'

const DEBIT = { id: 'b1', type: 'payment', type_method: 'direct_debit', amount: 1_200, currency: 'AUD' }
const BUSY: Shown = { kind: 'unavailable', status: 503, retryAfterMs: 0 }

const shown = (fields: object): Shown => ({
  kind: 'shown',
  body: { batch_transactions: { ...DEBIT, updated_at: '2026-01-01T00:00:00.000Z', ...fields } },
})
const notice = (changes: Partial<Notice> = {}): Notice => ({
  type: 'batch_transactions',
  id: 'b1',
  generation: 'webhooks',
  body: '{}',
  ...changes,
})

/** A core whose service answers these, the last one again and again. */
function coreOver(
  answers: readonly [Shown, ...Shown[]],
  { store = openStore(':memory:') }: { readonly store?: Store } = {},
): { readonly core: Core; readonly paths: readonly string[] } {
  const paths: string[] = []
  const judgement = {
    ...careful,
    delayAfter: (...failure: Parameters<typeof careful.delayAfter>) =>
      careful.delayAfter(...failure) === undefined ? undefined : 0,
  }
  const show = (path: string) => {
    const answer = answers[paths.push(path) - 1] ?? answers.at(-1) ?? answers[0]
    return Promise.resolve(answer)
  }
  const core = openCore({
    store,
    service: { show },
    judgement,
    onError: (error) => expect.fail(String(error)),
  })
  onTestFinished(() => core.close())
  return { core, paths }
}

test('a core acts once on what succeeded, however often it is told', async () => {
  const { core } = coreOver([shown({ state: 'successful' })])

  core.accept(notice())
  core.accept(notice({ generation: 'callbacks' }))
  await core.settled()
  core.accept(notice())
  await core.settled()

  expect(core.effectsOf('batch_transactions', 'b1')).toEqual({
    effects: 1,
    state: 'successful',
    amount: 1_200,
    currency: 'AUD',
  })
})

test('a core believes the service, and not the body', async () => {
  const { core } = coreOver([shown({ state: 'bank_processing' })])

  core.accept(notice({ body: JSON.stringify({ batch_transactions: { ...DEBIT, state: 'successful' } }) }))
  await core.settled()

  expect(core.effectsOf('batch_transactions', 'b1')).toMatchObject({ effects: 0, state: 'bank_processing' })
})

test('a core asks again until the service answers', async () => {
  const { core, paths } = coreOver([BUSY, BUSY, shown({ state: 'successful' })])

  core.accept(notice())
  await core.settled()

  expect([paths.length, core.effectsOf('batch_transactions', 'b1').effects]).toEqual([3, 1])
})

test('a core gives up on what does not exist', async () => {
  const { core, paths } = coreOver([{ kind: 'missing' }])

  core.accept(notice({ id: 'fabricated' }))
  await core.settled()

  expect([paths.length, core.effectsOf('batch_transactions', 'fabricated')]).toEqual([
    4,
    { effects: 0, state: null },
  ])
})

test('a core asks by one segment of a path, or not at all', async () => {
  const { core, paths } = coreOver([{ kind: 'missing' }])

  for (const id of ['a/../x?y#z', '..', '.', '%2e']) core.accept(notice({ id }))
  await core.settled()

  expect(new Set(paths)).toEqual(
    new Set(['/batch_transactions/a%2F..%2Fx%3Fy%23z', '/batch_transactions/%252e']),
  )
})

test('a core shows what it did by each id of the extended form', async () => {
  const { core } = coreOver([shown({ id: 612, uuid: 'u1', state: 'successful' })])

  core.accept(notice({ id: '612' }))
  core.accept(notice({ id: 'u1' }))
  await core.settled()

  expect(['612', 'u1'].map((id) => core.effectsOf('batch_transactions', id).effects)).toEqual([1, 1])
})

test('a core goes on after a restart with what it had not dealt with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-core-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'store.sqlite')
  const before = openStore(file)
  before.put(notice(), 0)
  before.close()

  const { core } = coreOver([shown({ state: 'successful' })], { store: openStore(file) })
  await core.settled()

  expect(core.effectsOf('batch_transactions', 'b1').effects).toBe(1)
})
