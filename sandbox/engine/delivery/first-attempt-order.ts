import { createQueue } from '../core/queue.ts'
import type { JobRecord } from '../state/job.ts'
import type { Delivery, Line } from './delivery.ts'

/**
 * First attempts about one object start one after the other, in trigger order. So do those of one payment, about any object. A
 * healthy receiver sees the states of an object and the steps of a payment in their order. Source: §6.2
 */
export interface FirstAttemptOrder {
  /** Gives the delivery a place behind all that came before; true if it may start at once. */
  enter(delivery: Delivery): boolean
  /** Gives up its place; returns the deliveries that may start now. */
  leave(delivery: Delivery): readonly Delivery[]
}

/** `findPayment` gives the id of the payment that a job is a step of; undefined if it is of none. */
export function createFirstAttemptOrder(
  findPayment: (job: JobRecord) => string | undefined,
): FirstAttemptOrder {
  const lineByKey = new Map<string, Line>()

  function lineOf(key: string): Line {
    const line = lineByKey.get(key) ?? { key, queue: createQueue<Delivery>() }
    lineByKey.set(key, line)
    return line
  }

  return {
    enter(delivery) {
      const { job } = delivery
      const payment = findPayment(job)
      const ofObject = lineOf(`${job.registration_id} ${job.object_id}`)
      // A payment may come to know of an object only later: a delivery stays in the lines that it entered.
      delivery.lines =
        payment === undefined ? [ofObject] : [ofObject, lineOf(`${job.generation} of payment ${payment}`)]
      for (const { queue } of delivery.lines) queue.push(delivery)
      return findPredecessors(delivery).length === 0
    },
    leave({ lines }) {
      const next = lines.flatMap(({ key, queue }) => {
        queue.shift()
        if (queue.length === 0) lineByKey.delete(key)
        return queue.peek() ?? []
      })
      return [...new Set(next)].filter((delivery) => findPredecessors(delivery).length === 0)
    },
  }
}

/** The deliveries that must have ended before this one starts. */
export function findPredecessors(delivery: Delivery): readonly Delivery[] {
  return delivery.lines.flatMap(({ queue }) => {
    const first = queue.peek()
    return first === undefined || first === delivery ? [] : [first]
  })
}

/** True if another delivery waits for this one, which has started, to end. */
export function isAwaited({ lines }: Delivery): boolean {
  return lines.some(({ queue }) => queue.length > 1)
}
