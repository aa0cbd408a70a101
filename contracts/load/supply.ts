import type { LoadMessage } from './books.ts'

interface SupplyOptions {
  /** The number of notifications to prepare ahead. */
  readonly ahead: number
  /** The limit of concurrently made notifications. */
  readonly atOnce: number
}

interface Order<Planned> extends PromiseWithResolvers<LoadMessage | undefined> {
  readonly planned: Planned
  /** Undefined until the notification is made. */
  message: LoadMessage | undefined
}

/** Makes notifications in order, shortly before they are due. */
export function createSupply<Planned>(
  plan: Iterator<Planned | null>,
  make: (planned: Planned) => Promise<LoadMessage>,
  { ahead, atOnce }: SupplyOptions,
) {
  const untaken: (Order<Planned> | null)[] = []
  const waiting = new Set<Order<Planned>>()
  let underWay = 0
  let isAtEnd = false

  async function begin(order: Order<Planned>): Promise<void> {
    waiting.delete(order)
    underWay++
    try {
      order.message = await make(order.planned)
      order.resolve(order.message)
    } catch (error) {
      order.reject(error)
    }
    underWay--
    beginWaiting()
  }

  function beginWaiting(): void {
    for (const order of waiting) {
      if (underWay >= atOnce) return
      void begin(order)
    }
  }

  function takeOrder(): Order<Planned> | null | undefined {
    const next = isAtEnd ? undefined : plan.next()
    if (!next || next.done === true) {
      isAtEnd = true
      return undefined
    }
    const planned = next.value
    if (planned === null) return null
    const order: Order<Planned> = { planned, message: undefined, ...Promise.withResolvers() }
    // Prevents an unhandled rejection. The caller of `take` still gets the error.
    order.promise.catch(() => {})
    waiting.add(order)
    return order
  }

  function refill(): void {
    while (untaken.length < ahead) {
      const next = takeOrder()
      if (next === undefined) break
      untaken.push(next)
    }
    beginWaiting()
  }

  return {
    /** Resolves when the first `ahead` notifications are ready. Rejects if one of them cannot be made. */
    async fill() {
      refill()
      await Promise.all(untaken.flatMap((each) => each?.promise ?? []))
    },
    /** Returns the next notification or a promise of it. Null is an empty place. Undefined is the end. */
    take() {
      const next = untaken.length > 0 ? untaken.shift() : takeOrder()
      refill()
      return next && (next.message ?? next.promise)
    },
    /** Makes no more notifications. Waiting callers get undefined. */
    close() {
      isAtEnd = true
      for (const { resolve } of waiting) resolve(undefined)
      waiting.clear()
    },
  }
}

export type Supply = ReturnType<typeof createSupply>
