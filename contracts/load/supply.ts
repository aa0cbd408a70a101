import type { LoadMessage } from './books.ts'

interface Order<Planned> extends PromiseWithResolvers<LoadMessage | undefined> {
  readonly planned: Planned
  /** Undefined until the notification is made. */
  message: LoadMessage | undefined
}

/** Makes notifications in order, shortly before they are due. `ahead` is the number of prepared notifications. */
export function createSupply<Planned>(
  plan: Iterator<Planned | null>,
  make: (planned: Planned) => Promise<LoadMessage>,
  { ahead, atOnce }: { readonly ahead: number; readonly atOnce: number },
) {
  const untaken: (Order<Planned> | null)[] = []
  const orders = createOrders(plan, make, atOnce)

  function refill(): void {
    while (untaken.length < ahead) {
      const next = orders.take()
      if (next === undefined) break
      untaken.push(next)
    }
    orders.begin()
  }

  return {
    /** Resolves when the first `ahead` notifications are ready. Rejects if one of them cannot be made. */
    async fill() {
      refill()
      await Promise.all(untaken.flatMap((each) => each?.promise ?? []))
    },
    /** Returns the next notification or a promise of it. Null is an empty place. Undefined is the end. */
    take() {
      const next = untaken.length > 0 ? untaken.shift() : orders.take()
      refill()
      return next && (next.message ?? next.promise)
    },
    /** Makes no more notifications. Waiting callers get undefined. */
    close: orders.close,
  }
}

export type Supply = ReturnType<typeof createSupply>

/** Makes at most `atOnce` notifications of the plan at the same time. */
function createOrders<Planned>(
  plan: Iterator<Planned | null>,
  make: (planned: Planned) => Promise<LoadMessage>,
  atOnce: number,
) {
  const waiting = new Set<Order<Planned>>()
  let underWay = 0
  let isAtEnd = false

  async function work(order: Order<Planned>): Promise<void> {
    waiting.delete(order)
    underWay++
    try {
      order.message = await make(order.planned)
      order.resolve(order.message)
    } catch (error) {
      order.reject(error)
    }
    underWay--
    begin()
  }

  function begin(): void {
    for (const order of waiting) {
      if (underWay >= atOnce) return
      void work(order)
    }
  }

  return {
    begin,
    take(): Order<Planned> | null | undefined {
      const next = isAtEnd ? undefined : plan.next()
      isAtEnd = !next || next.done === true
      if (!next || next.done === true) return undefined
      if (next.value === null) return null
      const order: Order<Planned> = {
        planned: next.value,
        message: undefined,
        ...Promise.withResolvers<LoadMessage | undefined>(),
      }
      // Prevents an unhandled rejection. The caller of `take` still receives the error.
      order.promise.catch(() => {})
      waiting.add(order)
      return order
    },
    close() {
      isAtEnd = true
      for (const { resolve } of waiting) resolve(undefined)
      waiting.clear()
    },
  }
}
