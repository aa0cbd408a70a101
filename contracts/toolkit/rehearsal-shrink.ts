import type { Failed, Finding } from '../finding.ts'
import { withOneMarkLess } from './rehearsal-order.ts'
import { failureName } from './rehearsal-verdict.ts'
import type { PlannedDelivery } from './rehearsal.ts'
import { shortestPart } from './sequences.ts'

type Order = readonly PlannedDelivery[]

/** Plays these on payments of their own. */
export type FindOrders = (orders: readonly Order[]) => Promise<readonly Finding[]>

/** How many rounds are played to make an order simpler, beside those in search of the shortest part of it. */
const MOST_ROUNDS = 30

/**
 * The shortest order that fails as this one does, without marks that it fails without; the order itself if none does. An order
 * too long for all of its parts to be tried loses one delivery after the other.
 */
export async function shrinkOrder(order: Order, failure: Failed, find: FindOrders): Promise<Order> {
  const name = failureName(failure)
  const failing = async (orders: readonly Order[]) =>
    (await find(orders)).map((finding) => finding.kind === 'failed' && failureName(finding) === name)
  const nameOf = (delivery: PlannedDelivery) => JSON.stringify(delivery)
  const shortest = await shortestPart(order, failing, { least: 1, isMeant: () => true, nameOf })
  return simplify(shortest, failing)
}

async function simplify(
  order: Order,
  failing: (orders: readonly Order[]) => Promise<readonly boolean[]>,
): Promise<Order> {
  let simplest = order
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const candidates = simplerOrders(simplest)
    const fails = candidates.length === 0 ? [] : await failing(candidates)
    const found = candidates.find((_, index) => fails[index])
    if (!found) return simplest
    simplest = found
  }
  return simplest
}

/** With one delivery less, and with one mark less. */
function simplerOrders(order: Order): readonly Order[] {
  const shorter = order.length === 1 ? [] : order.map((_, place) => order.toSpliced(place, 1))
  const plainer = order.flatMap((delivery, place) =>
    withOneMarkLess(delivery).map((plain) => order.with(place, plain)),
  )
  return [...shorter, ...plainer]
}
