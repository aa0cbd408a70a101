import { expect, test } from 'vitest'
import { EXAMPLES } from '../../../../spec/generated/examples.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const goldens = EXAMPLES.flatMap(({ name, type, body }) =>
  type === 'items' ? [{ name, item: body.items }] : [],
)

/** The fields that hold money which moves with the state. */
function amountsOf(item: object) {
  return Object.fromEntries(
    Object.entries(item).filter(([field]) => field.endsWith('_amount') || field === 'total_outstanding'),
  )
}

async function createItem(fields: object) {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/items', fields)
  const path = `/objects/items/${body.id}`
  return {
    created: body.object,
    move: async (to: string) => (await sandbox.control('POST', `${path}/transitions`, { to })).body.object,
    change: async (changes: object) => (await sandbox.control('PATCH', path, changes)).body.object,
  }
}

test.each(goldens)(
  'an item has the amounts of $name when it is created in or moved to its state',
  async (golden) => {
    const { amount, buyer_fees, seller_fees, state } = golden.item
    const prices = { amount, buyer_fees, seller_fees }

    const { created } = await createItem({ ...prices, state })
    const { created: pending, move } = await createItem(prices)
    const moved = state === 'pending' ? pending : await move(state)

    expect(amountsOf(created)).toEqual(amountsOf(golden.item))
    expect(amountsOf(moved)).toEqual(amountsOf(golden.item))
  },
)

test('an item that is refunded after its completion has released nothing', async () => {
  const { move } = await createItem({ amount: 10_000, seller_fees: 200 })
  const completed = await move('completed')

  const refunded = await move('refunded')

  expect([completed.released_amount, completed.refunded_amount]).toEqual([9_800, 0])
  expect([refunded.released_amount, refunded.refunded_amount]).toEqual([0, 10_000])
})

test.each(['problem_flagged', 'refund_flagged', 'refund_pending'])(
  'an item keeps its released amount when it moves from partial_completed to %s',
  async (state) => {
    const { move } = await createItem({ amount: 10_000 })
    const before = await move('partial_completed')

    expect(amountsOf(await move(state))).toEqual(amountsOf(before))
  },
)

test('an amount that is given wins over the amount of the state', async () => {
  const { change } = await createItem({ amount: 10_000 })

  const refunded = await change({ state: 'refunded', refunded_amount: 2_500 })
  const same = await change({ state: 'refunded' })

  expect([refunded.refunded_amount, refunded.remaining_amount]).toEqual([2_500, 0])
  expect(same).toEqual(refunded)
})
