import { expect, test } from 'vitest'
import { MODELS } from '../../../../spec/generated/models.ts'
import { validators } from '../../../../spec/validators.ts'
import { objectIds, objectState } from '../../../../spec/models.ts'
import { kindOf, type NotifiedType, notifiedTypes } from '../../../../spec/notifications.ts'
import { type NewObjectDefaults, newObjectDefaults } from '../../../../sandbox/engine/objects/draws.ts'
import { changeFields, newObject } from '../../../../sandbox/engine/objects/objects.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'
import { withPendingWrites } from '../../../../sandbox/engine/objects/pending-writes.ts'
import type { ObjectWrite } from '../../../../sandbox/engine/state/entries.ts'

const ID = '0d5f2c6e-7a4b-4c1d-9e3f-8b2a1c0d4e5f'

const NOW = '2026-03-04T05:06:07.000Z'

const defaults: NewObjectDefaults = { id: ID, number: 7, now: NOW, newId: () => ID }

const schemaOf = (type: NotifiedType, object: object) => kindOf(type, object) ?? MODELS[type].schema

test.each(notifiedTypes)('newObject(%s) is valid by the spec and has its own id and time', (type) => {
  const object = newObject(type, {}, defaults)

  const validate = Object.entries(validators).find(([name]) => name === schemaOf(type, object))?.[1]
  expect([validate?.({ ...object }), validate?.errors]).toEqual([true, null])
  expect(objectIds(type, object)).toContain(ID)
  expect(Reflect.get(object, 'updated_at') ?? NOW).toBe(NOW)
})

test.each([
  ['transactions', { type: 'deposit', type_method: 'bpay' }, 'DepositBpayTransaction'],
  [
    'batch_transactions',
    { type: 'payment', type_method: 'direct_debit' },
    'PaymentDirectDebitBatchTransaction',
  ],
] as const)('newObject(%s) of %j is of that kind', (type, fields, schema) => {
  expect(schemaOf(type, newObject(type, fields, defaults))).toBe(schema)
})

// Follows §3 and not the life cycles.
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
] as const)('newObject(%s) of %j begins in %s', (type, fields, state) => {
  expect(objectState<NotifiedType>(type, newObject(type, fields, defaults))).toBe(state)
})

test('newObject() has the given state', () => {
  const fields = { type: 'payment', type_method: 'direct_debit', state: 'failed_direct_debit' }

  expect(newObject('batch_transactions', fields, defaults)).toMatchObject({ ...fields, status: 12370 })
})

test('newObject() gives an account an integer id too', () => {
  expect(newObject('accounts', {}, defaults)).toMatchObject({ id: 7, uuid: ID })
})

test.each([
  ['items', { state: 'completed' }, { status: 22500 }],
  ['items', { amount: 500, seller_fees: 20 }, { net_amount: 480, total_outstanding: 500 }],
  ['users', { first_name: 'Ada', last_name: 'Byron' }, { full_name: 'Ada Byron' }],
  ['batch_transactions', { state: 'bank_processing' }, { status: 12700 }],
  [
    'disbursements',
    { state: 'cancelled' },
    { npp_payout_state: 'failed', partner_payment_transaction_id: null },
  ],
] as const)('changeFields(%s) to %j updates dependent fields', (type, fields, derived) => {
  const object = newObject(type, {}, defaults)

  expect(changeFields<NotifiedType>(type, object, { fields, now: NOW })).toMatchObject({
    ...fields,
    ...derived,
  })
})

test('changeFields() returns the same object without a change', () => {
  const item = newObject('items', { name: 'Sofa' }, defaults)

  expect(changeFields('items', item, { fields: { name: 'Sofa' }, now: '2027-01-01T00:00:00.000Z' })).toBe(
    item,
  )
})

test('the number of an account is unique', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/accounts', {})
  const taken: number = body.object.id
  const drawn = [taken, taken, 1_234_567]
  const newNumber = () => drawn.shift() ?? expect.fail('it needs no more')

  const { number } = newObjectDefaults('a-new-one', { ...sandbox.context, newNumber })

  expect(number).toBe(1_234_567)
})

test('a context with pending writes shows the last of an object, under its own type, and the rest as it is', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/items', { name: 'Stored' })
  const id = sandbox.context.newId()
  const named = (name: string): ObjectWrite => ({
    kind: 'object',
    object_type: 'items',
    object: newObject('items', { name }, newObjectDefaults(id, sandbox.context)),
  })

  const { view } = withPendingWrites(sandbox.context, [named('First'), named('Second')])

  expect([view.object('items', id)?.body.name, view.object('items', body.id)?.body.name]).toEqual([
    'Second',
    'Stored',
  ])
  expect([view.object('users', id), sandbox.context.view.object('items', id)]).toEqual([undefined, undefined])
})
