import { expect, test } from 'vitest'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import { validators } from '../../spec/generated/service-validators.ts'
import { itemStatus } from '../../spec/lifecycles.ts'

test.each(EXAMPLES)('the golden body $name is valid', ({ body }) => {
  expect(validators.Notification(body), JSON.stringify(validators.Notification.errors)).toBe(true)
})

test('there is a golden body for every state of an item, with the code of the state', () => {
  const codes = Object.fromEntries(EXAMPLES.map(({ body }) => [body.items.state, body.items.status]))

  expect(Object.keys(codes).toSorted()).toEqual(Object.keys(LIFECYCLES.items.states).toSorted())
  expect(EXAMPLES.filter(({ body }) => itemStatus(body.items.state) !== body.items.status)).toEqual([])
})

test('the amounts of every golden item add up', () => {
  for (const { name, body } of EXAMPLES) {
    const { amount, net_amount, total_amount, total_outstanding, buyer_fees, seller_fees } = body.items
    expect([net_amount, total_amount], name).toEqual([amount - seller_fees, amount + buyer_fees])
    expect(total_outstanding, name).toBeLessThanOrEqual(total_amount)
  }
})

test('every field that may be null is null in one golden item and set in another', () => {
  const items = EXAMPLES.map(({ body }) => body.items)
  const nullable = [
    'description',
    'custom_descriptor',
    'due_date',
    'invoice_url',
    'batch_state',
    'tds_check_state',
  ] as const

  for (const field of nullable) {
    expect(
      items.some((item) => item[field] === null),
      field,
    ).toBe(true)
    expect(
      items.some((item) => item[field] !== null),
      field,
    ).toBe(true)
  }
})
