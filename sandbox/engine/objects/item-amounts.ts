import type { Item, ItemState } from '../../../spec/generated/service-types.ts'

type Amounts = Partial<
  Pick<
    Item,
    | 'remaining_amount'
    | 'total_outstanding'
    | 'refunded_amount'
    | 'released_amount'
    | 'requested_release_amount'
    | 'pending_release_amount'
  >
>

const NOT_RELEASED = { released_amount: 0, requested_release_amount: 0, pending_release_amount: 0 }

function unpaid({ amount, total_amount }: Item): Amounts {
  return { remaining_amount: amount, total_outstanding: total_amount, refunded_amount: 0, ...NOT_RELEASED }
}

/** The buyer has paid everything. Flags and pending refunds move no further money. */
const paid = (): Amounts => ({ remaining_amount: 0, total_outstanding: 0 })

/** Assumes half of the amount, in whole minor units. */
const half = (amount: number) => Math.floor(amount / 2)

/**
 * The amounts that each state determines, as the golden bodies have them. No state determines `chargedback_amount`.
 * Reading: item-states
 */
const AMOUNTS_BY_STATE: { readonly [State in ItemState]: (item: Item) => Amounts } = {
  pending: unpaid,
  payment_required: unpaid,
  payment_pending: unpaid,
  payment_held: unpaid,
  payment_authorized: unpaid,
  voided: unpaid,
  cancelled: unpaid,
  partial_paid: (item) => ({
    ...unpaid(item),
    remaining_amount: item.amount - half(item.amount),
    total_outstanding: item.total_amount - half(item.amount),
  }),
  payment_deposited: () => ({ ...paid(), refunded_amount: 0, ...NOT_RELEASED }),
  work_completed: ({ net_amount }) => ({ ...paid(), ...NOT_RELEASED, requested_release_amount: net_amount }),
  problem_flagged: paid,
  partial_completed: ({ net_amount }) => ({
    ...paid(),
    released_amount: half(net_amount),
    requested_release_amount: 0,
    pending_release_amount: net_amount - half(net_amount),
  }),
  completed: ({ net_amount }) => ({ ...paid(), ...NOT_RELEASED, released_amount: net_amount }),
  refund_flagged: paid,
  refund_pending: paid,
  refunded: ({ amount }) => ({ ...paid(), ...NOT_RELEASED, refunded_amount: amount }),
}

/** The amounts of an item in its state. None for a state that does not exist. */
export function stateAmounts(item: Item): Amounts {
  return Object.hasOwn(AMOUNTS_BY_STATE, item.state) ? AMOUNTS_BY_STATE[item.state](item) : {}
}
