import type { BankAccount } from '../../spec/generated/service-types.ts'
import type { NotificationByType } from '../../spec/notifications.ts'
import type { Assembled } from '../compose/assemble.ts'
import type { RealTime } from '../engine/core/ports.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import type { View } from '../engine/state/view.ts'
import { parseMatch, type DeliveryMatch, type ParsedMatch, type ReceivedDelivery } from './delivery-match.ts'
import { explainMissing, explainUnexpected } from './explanation.ts'
import { refuseUnknownOptions } from './arguments.ts'
import { timestamp } from '../engine/core/timestamp.ts'
import type { AttemptReason } from '../engine/state/exchange.ts'
import type { JobType, JobRecord } from '../engine/state/job.ts'
import type { Generation } from '../../spec/delivery.ts'

/** The body of a delivery, by what it is about. */
interface DeliveryBodyByType extends NotificationByType {
  readonly bank_accounts: { readonly bank_accounts: BankAccount }
}

/** One attempt of a job that reached your receiver. */
export type Delivery<Type extends JobType = JobType> = { readonly [Each in Type]: DeliveryOf<Each> }[Type]

interface DeliveryOf<Type extends JobType> {
  readonly job_id: string
  readonly generation: Generation
  readonly object_type: Type
  readonly object_id: string
  /** The object's state when it was notified; null if its type shows none. */
  readonly state: string | null
  /** Counted from 1. */
  readonly attempt: number
  /** Sandbox time. */
  readonly started_at: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What was sent, parsed; the text itself where a fault made it something that is not JSON. */
  readonly body: DeliveryBodyByType[Type]
  /** How the receiver answered; null where it threw or took too long. */
  readonly status: number | null
  /** Why the delivery failed; null if it succeeded. */
  readonly reason: AttemptReason | null
  /** What your receiver threw; left out if it threw nothing. */
  readonly cause?: unknown
  /** When it is tried again; null if it is not. */
  readonly next_due_at: string | null
}

export interface DeliveryExpectations {
  /**
   * The oldest delivery that agrees and was not expected before; each is given once. Waits for it, by default for four seconds
   * of real time; then it throws what came instead, and what is still to come, with the last error of a receiver as `cause`.
   */
  expectDelivery<Type extends JobType = JobType>(
    match?: DeliveryMatch<Type>,
    options?: { readonly timeoutMs?: number },
  ): Promise<Delivery<Type>>
  /** Throws if, once everything has come to rest and so much real time has passed, a delivery agrees that was not expected. */
  expectNoDelivery(match?: DeliveryMatch, options?: { readonly withinMs?: number }): Promise<void>
}

/** The deliveries so far. */
export interface Inbox {
  /** Takes in what reached a receiver. */
  record(job: JobRecord, attempt: AttemptHead, cause?: unknown): void
  /** Not expected yet, oldest first. */
  readonly waiting: readonly ReceivedDelivery[]
  readonly consumed: readonly ReceivedDelivery[]
  /** Consumes the oldest one that agrees. */
  take(is: (received: ReceivedDelivery) => boolean): ReceivedDelivery | undefined
  /** What `look` finds, now or after one of the deliveries of the next `withinMs`, real time. */
  find(look: () => ReceivedDelivery | undefined, withinMs: number): Promise<ReceivedDelivery | undefined>
  /** As if nothing had come yet. */
  clear(): void
}

/** Without an answer, but it was asked for one. */
const REACHED: ReadonlySet<string | null> = new Set<AttemptReason>([
  'closed_without_response',
  'header_timeout',
])

export function createInbox({ after }: Pick<RealTime, 'after'>): Inbox {
  const waiting: ReceivedDelivery[] = []
  const consumed: ReceivedDelivery[] = []
  const watchers = new Set<() => void>()
  return {
    waiting,
    consumed,
    record(job, attempt, cause) {
      if (attempt.status === null && !REACHED.has(attempt.reason)) return
      waiting.push({ job, attempt, cause })
      for (const look of Array.from(watchers)) look()
    },
    take(is) {
      const index = waiting.findIndex(is)
      const taken = index === -1 ? [] : waiting.splice(index, 1)
      consumed.push(...taken)
      return taken[0]
    },
    async find(look, withinMs) {
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
    clear() {
      waiting.length = 0
      consumed.length = 0
    },
  }
}

const PATIENCE_MS = 4_000

export interface ExpectationPorts {
  readonly inbox: Inbox
  /** Resolves when what was set off has come to rest. */
  readonly rest: () => Promise<void>
  /** Throws what went wrong inside, if anything did. */
  readonly throwInner: () => void
}

export function createExpectations(
  { store, context }: Pick<Assembled, 'store' | 'context'>,
  { inbox, rest, throwInner }: ExpectationPorts,
): DeliveryExpectations {
  return {
    async expectDelivery<Type extends JobType>(
      match: DeliveryMatch<Type> = {},
      options: { readonly timeoutMs?: number } = {},
    ) {
      refuseUnknownOptions('expect a delivery', options, ['timeoutMs'])
      const { timeoutMs = PATIENCE_MS } = options
      const wanted = parseMatch(match, store)
      // Taken once, however often it is looked for until that is known.
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

/** What a receiver threw last, of a job that is wanted if there is one. */
function causeOf(received: readonly ReceivedDelivery[], { concerns }: ParsedMatch): ErrorOptions {
  const thrown = received.filter(({ cause }) => cause !== undefined)
  const last = thrown.findLast(({ job }) => concerns(job)) ?? thrown.at(-1)
  return last ? { cause: last.cause } : {}
}

function checkWait(given: Readonly<Record<string, number>>): number {
  const [[name, ms] = ['', 0]] = Object.entries(given)
  if (ms >= 0) return ms
  throw new RangeError(`Cannot wait for a delivery: ${name} is ${ms}. Give milliseconds of real time, from 0`)
}

/** Every delivery agrees with a match that leaves the type out. */
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
