import { expect, test } from 'vitest'
import { objectState } from '../../../../spec/models.ts'
import { type NotifiedType } from '../../../../spec/notifications.ts'
import { type NewObjectDefaults } from '../../../../sandbox/engine/objects/draws.ts'
import { newObject } from '../../../../sandbox/engine/objects/objects.ts'

const ID = '0d5f2c6e-7a4b-4c1d-9e3f-8b2a1c0d4e5f'

const NOW = '2026-03-04T05:06:07.000Z'

const defaults: NewObjectDefaults = { id: ID, number: () => 7, now: NOW, newId: () => ID }

// Initial states according to §3, independent of `spec/`.
test.each([
  ['batch_transactions', { type: 'disbursement', type_method: 'direct_credit' }, 'batched'],
  ['batch_transactions', { type: 'disbursement', type_method: 'bpay' }, 'bank_processing'],
  ['batch_transactions', { type: 'payment', type_method: 'direct_debit' }, 'batched'],
  ['batch_transactions', { type: 'bpay', type_method: 'bpay' }, 'bpay_pending'],
  ['batch_transactions', { type: 'payment_funding', type_method: 'credit_card' }, 'successful'],
  ['disbursements', {}, 'bank_processing'],
  ['virtual_accounts', {}, 'pending_activation'],
  ['transactions', { type: 'deposit', type_method: 'bpay' }, 'successful'],
  ['items', {}, 'pending'],
] as const)('newObject() creates %s with %j in the state %s', (type, fields, state) => {
  expect(objectState<NotifiedType>(type, newObject(type, fields, defaults))).toBe(state)
})
