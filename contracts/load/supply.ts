import type { LoadMessage } from './books.ts'

interface SupplyOptions {
  /** The numbers of prepared and of concurrently made notifications. */
  readonly ahead: number
  readonly atOnce: number
}

interface Order {
  readonly begin: () => Promise<void>
  readonly promise: Promise<LoadMessage | undefined>
  readonly cancel: () => void
  message: LoadMessage | undefined
}

/** Makes notifications in order, shortly before they are due. */
export function createSupply<Planned>(
  plan: Iterator<Planned | null>,
  make: (planned: Planned) => Promise<LoadMessage>,
  { ahead, atOnce }: SupplyOptions,
) {
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
    /** Resolves when the lead is ready. Rejects if one cannot be made. */
    async fill() {
      refill()
      await Promise.all(untaken.flatMap((each) => each?.promise ?? []))
    },
    /** Returns the next one or a promise. Null is an empty place. Undefined is the end. */
    take() {
      const next = untaken.length > 0 ? untaken.shift() : order()
      refill()
      return next && (next.message ?? next.promise)
    },
    /** Stops. Waiting callers get undefined. */
    close() {
      isAtEnd = true
      workers.close()
    },
  }
}

export type Supply = ReturnType<typeof createSupply>

/** Makes the ordered notifications in order, with limited concurrency. */
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
  // Prevents an unhandled rejection. The caller of `take` still gets the error.
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
