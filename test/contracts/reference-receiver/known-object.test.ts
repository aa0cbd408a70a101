import { expect, test } from 'vitest'
import {
  canReplace,
  isDue,
  parseKnownObject,
} from '../../../contracts/reference-receiver/starter/service.mjs'
import type { KnownObject } from '../../../contracts/reference-receiver/starter/store.mjs'

const debit: KnownObject = {
  type: 'batch_transactions',
  id: 'b1',
  number: null,
  kind: 'payment/direct_debit',
  state: 'bank_processing',
  updatedAt: 1_000,
  amount: 1_200,
  currency: 'AUD',
  userId: null,
  accountId: null,
}

test('a consequence is due for what succeeded, and for nothing else', () => {
  const due = [
    debit,
    { ...debit, state: 'successful' },
    { ...debit, state: 'invalid_account_details' },
    { ...debit, state: 'successful', kind: 'payment_funding/credit_card' },
    { ...debit, state: 'successful', kind: 'bpay/bpay' },
    { ...debit, type: 'items' as const, kind: null, state: 'successful' },
    { ...debit, type: 'disbursements' as const, kind: null, state: 'successful' },
    { ...debit, type: 'virtual_accounts' as const, kind: null, state: 'active' },
  ].map((known) => isDue(known))

  expect(due).toEqual([false, true, false, false, false, false, true, true])
})

test('what is believed gives way to newer words, and a final state to none', () => {
  const successful = { ...debit, state: 'successful', updatedAt: 2_000 }

  const replaced = [
    canReplace(undefined, debit),
    canReplace(debit, successful),
    canReplace({ ...debit, updatedAt: 3_000 }, successful),
    canReplace(successful, { ...debit, updatedAt: 9_000 }),
    canReplace(successful, { ...successful, amount: 1, updatedAt: 9_000 }),
  ]

  expect(replaced).toEqual([true, true, false, false, true])
})

test('an item changes after any state', () => {
  const completed = { ...debit, type: 'items' as const, kind: null, state: 'completed' }

  expect(canReplace(completed, { ...completed, state: 'refunded', updatedAt: 2_000 })).toBe(true)
})

test('knownFrom() keeps the extended form by its uuid, and knows its number', () => {
  const object = { id: 6120418, uuid: 'u1', type: 'disbursement', type_method: 'bpay', state: 'successful' }

  const known = parseKnownObject({ batch_transactions: object }, 'batch_transactions', '6120418')

  expect(known).toMatchObject({ id: 'u1', number: '6120418', kind: 'disbursement/bpay', amount: null })
})

test('knownFrom() takes no object but the one that it asked for', () => {
  expect(parseKnownObject({ items: { id: 'i2', state: 'completed' } }, 'items', 'i1')).toBeUndefined()
})

test('knownFrom() reads an instant with an offset, and the flat answer of a virtual account', () => {
  const shown = { id: 'v1', status: 'active', updated_at: '2026-01-06T12:00:00.000+12:00' }

  expect(parseKnownObject(shown, 'virtual_accounts', 'v1')).toMatchObject({
    state: 'active',
    updatedAt: Date.parse('2026-01-06T00:00:00.000Z'),
  })
})
