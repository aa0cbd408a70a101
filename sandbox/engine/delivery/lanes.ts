import { createQueue, type Queue } from '../core/queue.ts'
import type { Delivery } from './delivery.ts'

/** How many first attempts of one registration may be sent at once, and as many retries. */
const CONCURRENCY = 64

/** Starts deliveries, so many of each registration at once. Retries have places of their own: they never hold up a later job. */
export interface Lanes {
  addFirst(delivery: Delivery): void
  /** Comes before the deliveries that wait for a place. It was triggered earlier, and has waited for another delivery. */
  addReady(delivery: Delivery): void
  addRetry(delivery: Delivery): void
}

interface Lane {
  readonly ready: Queue<Delivery>
  readonly waiting: Queue<Delivery>
  underWay: number
}

/** `start` gets a function that frees the place, and that may be called more than once. */
export function createLanes(
  start: (delivery: Delivery, leave: () => void) => void,
  concurrency = CONCURRENCY,
): Lanes {
  const firsts = new Map<string, Lane>()
  const retries = new Map<string, Lane>()

  function startNext(lane: Lane): void {
    while (lane.underWay < concurrency) {
      const delivery = lane.ready.shift() ?? lane.waiting.shift()
      if (!delivery) return
      lane.underWay++
      start(
        delivery,
        once(() => {
          lane.underWay--
          startNext(lane)
        }),
      )
    }
  }

  function add(lanes: Map<string, Lane>, line: 'ready' | 'waiting', delivery: Delivery): void {
    const id = delivery.job.registration_id
    const lane = lanes.get(id) ?? {
      ready: createQueue<Delivery>(),
      waiting: createQueue<Delivery>(),
      underWay: 0,
    }
    lanes.set(id, lane)
    lane[line].push(delivery)
    startNext(lane)
  }

  return {
    addFirst: (delivery) => add(firsts, 'waiting', delivery),
    addReady: (delivery) => add(firsts, 'ready', delivery),
    addRetry: (delivery) => add(retries, 'waiting', delivery),
  }
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) {
      isDone = true
      run()
    }
  }
}
