import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { createTranslator } from '../../spec/vocabulary.ts'

const vocabulary = {
  extwallet: 'paylane',
  partner: 'gateway',
  legacy: 'oldpay',
  request_response: 'request_responses',
}
const { outward, inward } = createTranslator(vocabulary)

test('outward() changes keys, link paths and enumerated values, and no other text', () => {
  expect(
    outward({
      extwallet_fee: 1,
      partner_payment_transaction_id: 'partner',
      request_response: [{ message: 'the extwallet said no' }],
      description: 'extwallet',
      name: 'Partner account with extwallet',
      payment_method: 'extwallet',
      links: { extwallet_accounts: '/users/extwallet-1/extwallet_accounts', self: null },
      link: '/extwallet_accounts/1',
    }),
  ).toEqual({
    paylane_fee: 1,
    gateway_payment_transaction_id: 'partner',
    request_responses: [{ message: 'the extwallet said no' }],
    description: 'extwallet',
    name: 'Partner account with extwallet',
    payment_method: 'paylane',
    links: { paylane_accounts: '/users/extwallet-1/paylane_accounts', self: null },
    link: '/paylane_accounts/1',
  })
})

test('outward() changes a name only where it is that of an object type, and no id in a link', () => {
  const link = '/extwallet_accounts/partner/legacy_users'
  expect([
    outward({ name: 'partner', event: 'legacy', links: { self: '/users/partner' } }),
    outward({ name: 'extwallet_accounts', event: 'legacy', link }),
  ]).toEqual([
    { name: 'partner', event: 'oldpay', links: { self: '/users/partner' } },
    { name: 'paylane_accounts', event: 'oldpay', link: '/paylane_accounts/partner/oldpay_users' },
  ])
})

test('inward() takes back the value of a key that has changed too, and no name of somebody', () => {
  const translator = createTranslator({ object_type: 'kind', users: 'people', partner: 'acme' })

  expect(translator.inward({ kind: 'people', name: 'acme' })).toEqual({ object_type: 'users', name: 'acme' })
})

test('inward() takes back an enumerated value that is said with digits', () => {
  const translator = createTranslator({ users: 'users2' })

  expect(translator.inward({ object_type: 'users2' })).toEqual({ object_type: 'users' })
})

test.each(EXAMPLES)('inward() takes back what outward() did to $name', ({ body }) => {
  expect(inward({ said: outward(body) })).toEqual({ said: body })
})

test('without a vocabulary nothing changes', () => {
  assert(
    property(jsonValue(), (value) => {
      expect(createTranslator().outward(value)).toBe(value)
    }),
  )
})

test.each([
  [{ extwallet: 'Pay Lane' }, 'Cannot use vocabulary word "Pay Lane"'],
  [{ extwallet: 'same', partner: 'same' }, 'two words become the same'],
])('createTranslator() refuses %j', (words, message) => {
  expect(() => createTranslator(words)).toThrow(message)
})
