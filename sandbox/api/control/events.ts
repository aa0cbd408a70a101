import type { Event } from '../../../spec/generated/control-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { createSignal } from '../../engine/core/signal.ts'
import { toRequestRecord, type RequestLog } from '../../engine/state/request-log.ts'
import type { Store } from '../../engine/state/store.ts'
import type { Head, HeadByKind, HeadOf } from '../../engine/state/entries.ts'
import type { View } from '../../engine/state/view.ts'
import { toFault } from './faults.ts'
import { toJobSummary } from './jobs.ts'
import { toPaymentRecord } from './payments.ts'
import type { ControlOperation, EventFeed } from './operation.ts'
import type { Context } from '../operations/operation.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { withKeptId } from './requests.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const streamEvents: ControlOperation<'streamEvents'> = ({ headers }, { events }) => {
  const after = headers['last-event-id']
  // Before the stream begins: one that cannot begin is refused like any other request.
  events.follow(after, () => {})()
  return {
    kind: 'stream',
    after: after ?? events.lastId(),
    follow: (listener) => events.follow(after, listener),
  }
}

/** What happened, the newest of it, in memory. */
export interface EventLog extends EventFeed {
  emitReplaced(reason: 'reset' | 'snapshot'): void
}

export interface EventLogPorts {
  readonly store: Store
  readonly requests: RequestLog
  readonly readings: () => ReadingValues
  /** Distinguishes this run's ids from those of another. */
  readonly run: string
  /** Sandbox time. */
  readonly now: () => number
}

/** An event as it is kept: most are written out only for those who follow. */
type KeptEvent = () => Omit<Event, 'id'>

const MOST_KEPT = 10_000

export function createEventLog({ store, requests, readings, run, now }: EventLogPorts): EventLog {
  const happened = createSignal<Event>()
  let kept: KeptEvent[] = []
  let count = 0

  function keep(event: KeptEvent): void {
    count++
    kept.push(event)
    if (kept.length >= 2 * MOST_KEPT) kept = kept.slice(-MOST_KEPT)
    if (happened.hasListeners()) happened.emit(withId(event, count))
  }

  const withId = (event: KeptEvent, number: number): Event => ({ id: `${run}-${number}`, ...event() })

  store.subscribe((head) => {
    const content = toEvent(head, { view: store, readings })
    if (content) keep(() => ({ at: timestamp(head.at), ...content() }))
  })
  requests.subscribe((call) => {
    const endedAt = now()
    keep(() => ({
      type: 'request',
      at: timestamp(endedAt),
      data: { ...withKeptId(toRequestRecord(call), store) },
    }))
  })

  /** What is known of what came after, and whether something was missed. */
  function since(after: string): { readonly known: readonly Event[]; readonly missed: boolean } {
    const { itsRun, itsCount } = parseEventId(after)
    const seen = itsRun === run ? Number(itsCount) : 0
    const first = count - kept.length
    const isOfThisRun = after === '0' || itsRun === run
    const known = kept
      .slice(Math.max(0, seen - first))
      .map((event, index, { length }) => withId(event, count - length + index + 1))
    return { known, missed: !isOfThisRun || seen < first }
  }

  return {
    follow(after, listener) {
      if (after !== undefined) {
        const { known, missed } = since(after)
        // Its id is that of the last event before those that are known, so that going on after it repeats nothing.
        if (missed) listener({ id: `${run}-${count - known.length}`, ...toGap(after, now()) })
        for (const event of known) listener(event)
      }
      return happened.subscribe(listener)
    },
    lastId: () => `${run}-${count}`,
    emitReplaced(reason) {
      const at = timestamp(now())
      keep(() => ({ type: 'world', at, data: { reason } }))
    },
  }
}

function toGap(after: string, at: number): Omit<Event, 'id'> {
  const message = 'What happened in between is no longer known: list what you need'
  return { type: 'gap', at: timestamp(at), data: { after, message } }
}

/** Throws ApiError if it is none; 0 is before all. */
function parseEventId(id: string): { readonly itsRun: string; readonly itsCount: string } {
  const [, itsRun = '', itsCount = ''] = /^(\w+)-(\d{1,15})$/.exec(id) ?? []
  if (id === '0' || itsRun !== '') return { itsRun, itsCount }
  const message = `Unknown event id "${id}"; take it from the "id" of an event`
  throw new ApiError('invalid', {
    field: 'Last-Event-ID',
    message,
    hint: 'give 0 for everything that is known',
  })
}

type EventContent = Pick<Event, 'type' | 'data'>

/** What events are written out by. */
type EventContext = Pick<Context, 'view' | 'readings'>

/**
 * What each kind of entry is as an event, with the data as the operation that lists it replies. What may change is looked at when it
 * happens, and written out by the function that is returned.
 */
const EVENTS: {
  readonly [Kind in Head['kind']]: (
    head: HeadByKind[Kind],
    context: EventContext,
  ) => (() => EventContent) | undefined
} = {
  object:
    ({ object_type, id, revision }) =>
    () => ({ type: 'object', data: { object_type, id, revision } }),
  registration:
    ({ registration: { id, generation, object_type, url, enabled } }) =>
    () => ({ type: 'registration', data: { id, generation, object_type, url, enabled } }),
  deletion:
    ({ registration_id }) =>
    () => ({ type: 'registration_removed', data: { id: registration_id } }),
  job({ id }, context) {
    const data = jobData(id, context)
    return () => ({ type: 'job', data: data() })
  },
  // Told of when it has ended.
  'attempt-start': () => undefined,
  attempt({ job_id, number, status, reason, message, manual = false, faults = [] }, context) {
    const data = jobData(job_id, context)
    return () => ({
      type: 'attempt',
      data: { ...data(), number, status, reason, message, manual, faults },
    })
  },
  cancellation({ job_id }, context) {
    const data = jobData(job_id, context)
    return () => ({ type: 'job_called_off', data: data() })
  },
  payment({ payment }, { view }) {
    const data = { ...toPaymentRecord(payment, { view }) }
    return () => ({ type: 'payment', data })
  },
  'next-outcome':
    ({ payment_kind, outcome }) =>
    () => ({ type: 'next_outcome', data: { kind: payment_kind, outcome } }),
  secret: () => () => ({ type: 'secret', data: {} }),
  readings:
    ({ chosen }) =>
    () => ({ type: 'readings', data: { ...chosen } }),
  clock:
    ({ at, speed }) =>
    () => ({ type: 'clock', data: { now: timestamp(at), ...(speed !== undefined && { speed }) } }),
  crafted:
    ({ id }) =>
    () => ({ type: 'delivery', data: { id } }),
  fault: ({ fault: { id } }, { view }) => faultEvent(id, view),
  'fault-use': ({ fault_id }, { view }) => faultEvent(fault_id, view),
  'fault-end':
    ({ fault_id }) =>
    () => ({ type: 'fault_removed', data: { id: fault_id } }),
}

function toEvent<Kind extends Head['kind']>(
  head: HeadOf<Kind>,
  context: EventContext,
): (() => EventContent) | undefined {
  return EVENTS[head.kind](head, context)
}

/** A record is what the job is now: it does not change with it. */
function jobData(id: string, context: EventContext): () => EventContent['data'] {
  const job = context.view.job(id)
  return () => ({ job: job ? toJobSummary(job, context) : { id } })
}

function faultEvent(id: string, view: View): () => EventContent {
  const data = faultData(id, view)
  return () => ({ type: 'fault', data })
}

function faultData(id: string, view: View): EventContent['data'] {
  const fault = view.faults().find((known) => known.id === id)
  return fault ? { ...toFault(fault) } : { id }
}
