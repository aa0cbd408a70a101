import type { Exchange, HttpMessage, Outcome, RealTime, Transport } from '../engine/core/ports.ts'

export type FairScheduler = ReturnType<typeof createFairScheduler>

/** The number of calls and deliveries that a world starts in one turn of the event loop, while other worlds are active. */
const MAX_PER_TURN = 2
/** The same number without other active worlds. After each turn, the process notices that the disk has synced earlier changes. */
const MAX_ALONE = 16
const BUSY_MS = 1_000

/** Creates a fair scheduler. Worlds take turns, so that no world has to wait until another world has done all its work. */
export function createFairScheduler({ soon, elapsed }: Pick<RealTime, 'soon' | 'elapsed'>) {
  const begun = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  /** The world that most recently started work. `otherAt` is the time of the last switch to another world. */
  let last = ''
  let otherAt = Number.NEGATIVE_INFINITY
  let isArmed = false

  const most = () => (waiting.size < 2 && elapsed() - otherAt > BUSY_MS ? MAX_ALONE : MAX_PER_TURN)

  function arm(): void {
    if (isArmed) return
    isArmed = true
    soon(nextTurn)
  }

  function nextTurn(): void {
    isArmed = false
    begun.clear()
    const count = most()
    for (const [world, queue] of waiting) {
      const next = queue.splice(0, count)
      begun.set(world, next.length)
      if (queue.length === 0) waiting.delete(world)
      for (const begin of next) begin()
    }
    if (begun.size > 0) arm()
  }

  return {
    /** Returns undefined if the world may start work in this turn, or a promise that resolves when it may. */
    take(world: string): Promise<void> | undefined {
      if (world !== last) {
        if (last !== '') otherAt = elapsed()
        last = world
      }
      arm()
      const count = begun.get(world) ?? 0
      const queue = waiting.get(world)
      if (!queue && count < most()) {
        begun.set(world, count + 1)
        return undefined
      }
      return new Promise((resolve) => {
        if (queue) queue.push(resolve)
        else waiting.set(world, [resolve])
      })
    },
  }
}

export interface WorldTransportsPorts {
  readonly transport: Transport
  readonly turns: FairScheduler
  readonly maxConcurrentDeliveries: number
  readonly isAlone: () => boolean
}

export interface WorldTransport extends Transport {
  /** Interrupts this world's POSTs in flight. Later POSTs are not sent and also count as interrupted. */
  cut(): void
}

/** The maximum share of the limit on concurrent POSTs that one world can use. */
const SHARE = 3 / 4

const NO_DESCRIPTOR = unsent({
  kind: 'unanswered',
  reason: 'out_of_resources',
  message:
    'Not sent: the process has reached its limit of connections for deliveries. Raise the limit of open files for the process',
})

const INTERRUPTED = unsent({
  kind: 'unanswered',
  reason: 'interrupted',
  message: 'Cannot finish the exchange: its world was closed',
})

/** Shares one transport among worlds. Worlds take turns, and one world cannot use all slots for concurrent POSTs. */
export function createWorldTransports({
  transport,
  turns,
  maxConcurrentDeliveries,
  isAlone,
}: WorldTransportsPorts) {
  const share = Math.max(1, Math.floor(maxConcurrentDeliveries * SHARE))
  let postsOfAll = 0

  return (world: string): WorldTransport => {
    const pending = new Set<(exchange: Exchange) => void>()
    let posts = 0
    let isCut = false

    async function send(message: HttpMessage, deadlineMs: number): Promise<Exchange> {
      const turn = isAlone() ? undefined : turns.take(world)
      if (turn) await turn
      if (isCut) return INTERRUPTED
      if (postsOfAll >= maxConcurrentDeliveries || posts >= (isAlone() ? maxConcurrentDeliveries : share))
        return NO_DESCRIPTOR
      posts++
      postsOfAll++
      const exchange = await transport.post(message, deadlineMs)
      posts--
      postsOfAll--
      return exchange
    }

    return {
      post(message, deadlineMs) {
        const { promise, resolve } = Promise.withResolvers<Exchange>()
        pending.add(resolve)
        void send(message, deadlineMs).then((exchange) => {
          pending.delete(resolve)
          return resolve(exchange)
        })
        return promise
      },
      cut() {
        isCut = true
        for (const resolve of pending) resolve(INTERRUPTED)
        pending.clear()
      },
    }
  }
}

function unsent(outcome: Outcome): Exchange {
  return { outcome, timings: { connectedMs: null, answeredMs: null, totalMs: 0 }, flags: [] }
}
