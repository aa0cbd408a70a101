import type { LoadMessage } from './books.ts'

/** The notifications in their order, made a little ahead of the time at which they are due. */
export interface Supply {
  /** Resolves when as many are ready as are made ahead. Rejects if one cannot be made. */
  fill(): Promise<void>
  /** The next one, ready or still to be made; null where there is none in its place, undefined if there are no more. */
  take(): LoadMessage | Promise<LoadMessage | undefined> | null | undefined
  /** Makes no more: who waits for one gets none. */
  close(): void
}

export interface SupplyOptions {
  /** How many are made ahead, and how many of them at once. */
  readonly ahead: number
  readonly atOnce: number
}

/** One that is to be made, or was. */
interface Order {
  readonly begin: () => Promise<void>
  readonly promise: Promise<LoadMessage | undefined>
  readonly cancel: () => void
  message: LoadMessage | undefined
}

export function createSupply<Planned>(
  plan: Iterator<Planned | null>,
  make: (planned: Planned) => Promise<LoadMessage>,
  { ahead, atOnce }: SupplyOptions,
): Supply {
  const untaken: (Order | null)[] = []
  const workers = createWorkers(atOnce)
  let isAtEnd = false

  function order(): Order | null | undefined {
    const next = isAtEnd ? undefined : plan.next()
    if (!next || next.done === true) {
      isAtEnd = true
      return undefined
    }
    const planned = next.value
    if (planned === null) return null
    const made = createOrder(() => make(planned))
    workers.add(made)
    return made
  }

  function refill(): void {
    while (untaken.length < ahead) {
      const next = order()
      if (next === undefined) break
      untaken.push(next)
    }
    workers.begin()
  }

  return {
    async fill() {
      refill()
      await Promise.all(untaken.flatMap((each) => each?.promise ?? []))
    },
    take() {
      const next = untaken.length > 0 ? untaken.shift() : order()
      refill()
      return next && (next.message ?? next.promise)
    },
    close() {
      isAtEnd = true
      workers.close()
    },
  }
}

/** Makes what is ordered, in its order, and so much of it at once. */
function createWorkers(atOnce: number) {
  const waiting = new Set<Order>()
  let underWay = 0

  async function work(order: Order): Promise<void> {
    waiting.delete(order)
    underWay++
    await order.begin()
    underWay--
    begin()
  }

  function begin(): void {
    for (const next of waiting) {
      if (underWay >= atOnce) return
      void work(next)
    }
  }

  return {
    add: (order: Order) => void waiting.add(order),
    begin,
    close() {
      for (const { cancel } of waiting) cancel()
      waiting.clear()
    },
  }
}

function createOrder(make: () => Promise<LoadMessage>): Order {
  const { promise, resolve, reject } = Promise.withResolvers<LoadMessage | undefined>()
  // Whoever takes it hears of it; until then it is nobody's failure.
  promise.catch(() => {})
  const order: Order = {
    promise,
    message: undefined,
    cancel: () => resolve(undefined),
    async begin() {
      try {
        order.message = await make()
        resolve(order.message)
      } catch (error) {
        reject(error)
      }
    },
  }
  return order
}
