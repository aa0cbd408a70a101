import { expect, test } from 'vitest'
import { objectState } from '../../../../spec/models.ts'
import { type NotifiedType } from '../../../../spec/notifications.ts'
import { type NewObjectDefaults, newObjectDefaults } from '../../../../sandbox/engine/objects/draws.ts'
import { newObject } from '../../../../sandbox/engine/objects/objects.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'
import { withPendingWrites } from '../../../../sandbox/engine/objects/pending-writes.ts'
import type { ObjectWrite } from '../../../../sandbox/engine/state/entries.ts'

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

test('newObjectDefaults() generates a number that no account has', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/accounts', {})
  const taken: number = body.object.id
  const drawn = [taken, taken, 1_234_567]
  const newNumber = () => drawn.shift() ?? expect.fail('it needs no more')

  const { number } = newObjectDefaults('a-new-one', { ...sandbox.context, newNumber })

  expect(number()).toBe(1_234_567)
})

test('withPendingWrites() shows the last pending version of an object and the stored objects', async () => {
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
