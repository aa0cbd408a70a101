import type { BankAccount } from '../../spec/generated/service-types.ts'
import type { NotificationByType } from '../../spec/notifications.ts'
import type { Assembled } from '../compose/assemble.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { AttemptHead, AttemptReason } from '../engine/state/entries.ts'
import type { View } from '../engine/state/view.ts'
import { parseMatch, type DeliveryMatch, type ParsedMatch, type ReceivedDelivery } from './delivery-match.ts'
import { explainMissing, explainUnexpected } from './explanation.ts'
import { refuseUnknownOptions } from './arguments.ts'
import { timestamp } from '../engine/core/timestamp.ts'
import type { JobType, JobRecord } from '../engine/state/job.ts'
import type { Generation } from '../../spec/delivery.ts'

interface DeliveryBodyByType extends NotificationByType {
  readonly bank_accounts: { readonly bank_accounts: BankAccount }
}

/** A delivery attempt that reached your receiver. */
export type Delivery<Type extends JobType = JobType> = { readonly [Each in Type]: DeliveryOf<Each> }[Type]

interface DeliveryOf<Type extends JobType> {
  readonly job_id: string
  readonly generation: Generation
  readonly object_type: Type
  readonly object_id: string
  /** The notified state. Null if the object type has no state. */
  readonly state: string | null
  /** The number of the attempt, counted from 1. */
  readonly attempt: number
  /** The start of the attempt in sandbox time. */
  readonly started_at: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON body. Contains the text of the body if a fault made the JSON invalid. */
  readonly body: DeliveryBodyByType[Type]
  /** The HTTP status of the response. Null if the receiver threw an error or timed out. */
  readonly status: number | null
  /** The reason why the attempt failed. Null after success. */
  readonly reason: AttemptReason | null
  /** The error that the receiver threw. Undefined if the receiver threw no error. */
  readonly cause?: unknown
  /** The due time of the next attempt. Null if there is no next attempt. */
  readonly next_due_at: string | null
}

export interface DeliveryExpectations {
  /**
   * Returns the oldest matching delivery that no earlier call returned. Waits at most `timeoutMs` real milliseconds, by default
   * four seconds. If no delivery matches, throws an error that lists received and upcoming deliveries. The `cause` of the error
   * is the last error that a receiver threw.
   */
  expectDelivery<Type extends JobType = JobType>(
    match?: DeliveryMatch<Type>,
    options?: { readonly timeoutMs?: number },
  ): Promise<Delivery<Type>>
  /** Waits until all work is done and `withinMs` of real time has passed. Throws an error if an unexpected delivery matches. */
  expectNoDelivery(match?: DeliveryMatch, options?: { readonly withinMs?: number }): Promise<void>
}

export type Inbox = ReturnType<typeof createInbox>

/** The reasons for failed attempts in which the receiver was called but did not respond. */
const REACHED: ReadonlySet<string | null> = new Set<AttemptReason>([
  'closed_without_response',
  'header_timeout',
])

export function createInbox({ after }: Pick<RealTime, 'after'>) {
  /** The deliveries that no test has expected yet, oldest first. */
  const waiting: ReceivedDelivery[] = []
  const consumed: ReceivedDelivery[] = []
  const watchers = new Set<() => void>()
  return {
    waiting,
    consumed,
    record(job: JobRecord, attempt: AttemptHead, cause?: unknown): void {
      if (attempt.status === null && !REACHED.has(attempt.reason)) return
      waiting.push({ job, attempt, cause })
      for (const look of Array.from(watchers)) look()
    },
    take(is: (received: ReceivedDelivery) => boolean): ReceivedDelivery | undefined {
      const index = waiting.findIndex(is)
      const taken = index === -1 ? [] : waiting.splice(index, 1)
      consumed.push(...taken)
      return taken[0]
    },
    /** Calls `look` now, and again after each delivery for `withinMs` of real time. Returns the first defined result of `look`. */
    async find(look: () => ReceivedDelivery | undefined, withinMs: number) {
      const present = look()
      if (present || withinMs === 0) return present
      const { promise, resolve } = Promise.withResolvers<ReceivedDelivery | undefined>()
      const watch = () => {
        const found = look()
        if (found) resolve(found)
      }
      watchers.add(watch)
      const cancel = after(withinMs, () => resolve(undefined))
      try {
        return await promise
      } finally {
        watchers.delete(watch)
        cancel()
      }
    },
    clear(): void {
      waiting.length = 0
      consumed.length = 0
    },
  }
}

const PATIENCE_MS = 4_000

/**
 * Creates the methods that expect deliveries. `rest` resolves when all work that earlier calls caused is done. `throwInner`
 * throws the first internal error.
 */
export function createExpectations(
  { store, context }: Pick<Assembled, 'store' | 'context'>,
  inbox: Inbox,
  { rest, throwInner }: { readonly rest: () => Promise<void>; readonly throwInner: () => void },
): DeliveryExpectations {
  return {
    async expectDelivery<Type extends JobType>(
      match: DeliveryMatch<Type> = {},
      options: { readonly timeoutMs?: number } = {},
    ) {
      refuseUnknownOptions('expect a delivery', options, ['timeoutMs'])
      const { timeoutMs = PATIENCE_MS } = options
      const wanted = parseMatch(match, store)
      // Keeps the delivery, because the callback can run several times but must take only one delivery.
      let taken: ReceivedDelivery | undefined
      await inbox.find(() => (taken ??= inbox.take(wanted.agrees)), checkWait({ timeoutMs }))
      throwInner()
      const delivery = taken && toDelivery(taken, store)
      if (delivery && isOfType(delivery, match.object_type)) return delivery
      const situation = { ...context, now: context.clock.now }
      throw new Error(explainMissing(wanted, { inbox, timeoutMs }, situation), causeOf(inbox.waiting, wanted))
    },
    async expectNoDelivery(match = {}, options = {}) {
      refuseUnknownOptions('expect no delivery', options, ['withinMs'])
      const { withinMs = 0 } = options
      const wanted = parseMatch(match, store)
      await rest()
      const received = await inbox.find(() => inbox.waiting.find(wanted.agrees), checkWait({ withinMs }))
      throwInner()
      if (received) throw new Error(explainUnexpected(wanted, received), causeOf([received], wanted))
    },
  }
}

/** Returns a receiver's last error as the `cause` of another error. Prefers errors from jobs that the filter may match. */
function causeOf(received: readonly ReceivedDelivery[], { concerns }: ParsedMatch): ErrorOptions {
  const thrown = received.filter(({ cause }) => cause !== undefined)
  const last = thrown.findLast(({ job }) => concerns(job)) ?? thrown.at(-1)
  return last ? { cause: last.cause } : {}
}

function checkWait(given: Readonly<Record<string, number>>): number {
  const [[name, ms] = ['', 0]] = Object.entries(given)
  if (ms >= 0) return ms
  throw new RangeError(
    `Cannot wait for a delivery: ${name} is ${ms}. Give a number of real milliseconds, 0 or more`,
  )
}

function isOfType<Type extends JobType>(
  delivery: Delivery,
  type: Type | undefined,
): delivery is Delivery & Delivery<Type> {
  return type === undefined || delivery.object_type === type
}

function toDelivery({ job, attempt, cause }: ReceivedDelivery, view: View): Delivery {
  const exchange = view.attempts(job).find(({ head }) => head.number === attempt.number)?.exchange
  const text = exchange?.request_body ?? view.jobBody(job)
  return {
    job_id: job.id,
    generation: job.generation,
    object_type: job.object_type,
    object_id: job.object_id,
    state: job.state,
    attempt: attempt.number,
    started_at: timestamp(attempt.started_at),
    url: attempt.url,
    headers: Object.fromEntries(exchange?.request_headers ?? []),
    body: JSON.parse(isJson(text) ? text : JSON.stringify(text)),
    status: attempt.status,
    reason: attempt.reason,
    ...(cause !== undefined && { cause }),
    next_due_at: attempt.next_due_at === null ? null : timestamp(attempt.next_due_at),
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
