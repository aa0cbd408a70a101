import type { JobRecord } from '../state/job.ts'
import { whenEnded, type Order, type QueuedDelivery } from './queued-delivery.ts'

/** Orders first attempts for an object or a payment, so that healthy receivers get notifications in order. Source: §6.2 */
export function createOrders(findPayment: (job: JobRecord) => string | undefined) {
  const ordersOf = new Map<string, Map<string, Order>>()

  /** Returns the queue of an object or a payment. `within` is a registration id, or the generation for a payment. */
  function orderOf(within: string, key: string): Order {
    let siblings = ordersOf.get(within)
    if (!siblings) ordersOf.set(within, (siblings = new Map()))
    let order = siblings.get(key)
    if (!order) siblings.set(key, (order = { key, siblings, deliveries: [] }))
    return order
  }

  return {
    /** Appends the delivery to its ordered queues. Returns true if the delivery may start immediately. */
    enter(delivery: QueuedDelivery): boolean {
      const { job } = delivery
      const payment = findPayment(job)
      const ofObject = orderOf(job.registration_id, job.object_id)
      // The delivery stays in its queues, even if its object becomes part of a payment later.
      delivery.orders = payment === undefined ? [ofObject] : [ofObject, orderOf(job.generation, payment)]
      for (const { deliveries } of delivery.orders) deliveries.push(delivery)
      return findPredecessors(delivery).length === 0
    },
    leave({ orders }: QueuedDelivery): readonly QueuedDelivery[] {
      const next = orders.flatMap(({ key, siblings, deliveries }) => {
        deliveries.shift()
        if (deliveries.length === 0) siblings.delete(key)
        return deliveries[0] ?? []
      })
      return [...new Set(next)].filter((delivery) => findPredecessors(delivery).length === 0)
    },
  }
}

export function untilMoved(delivery: QueuedDelivery): Promise<void> {
  const [before] = findPredecessors(delivery)
  return delivery.held?.release ?? (before ? untilMoved(before) : whenEnded(delivery))
}

export function isStalled(delivery: QueuedDelivery): boolean {
  return findPredecessors(delivery).some((before) => before.cancelTimer !== undefined || isStalled(before))
}

function findPredecessors(delivery: QueuedDelivery): readonly QueuedDelivery[] {
  return delivery.orders.flatMap(({ deliveries: [first] }) =>
    first === undefined || first === delivery ? [] : first,
  )
}

export function isAwaited({ orders }: QueuedDelivery): boolean {
  return orders.some(({ deliveries }) => deliveries.length > 1)
}
