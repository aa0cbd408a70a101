import type { Event, RequestRecord } from '../../../spec/generated/control-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { createSignal } from '../../engine/core/signal.ts'
import type { RequestLog } from '../../engine/state/request-log.ts'
import type { Store } from '../../engine/state/store.ts'
import type { Head } from '../../engine/state/entries.ts'
import type { View } from '../../engine/state/view.ts'
import { toFault } from './faults.ts'
import { toJobSummary } from './jobs.ts'
import { toPaymentRecord } from './payments.ts'
import type { ControlOperation, EventFeed } from './operation.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const streamEvents: ControlOperation<'streamEvents'> = ({ headers }, { events }) => {
  const after = headers['last-event-id']
  // Before the stream begins: one that cannot begin is refused like any other request.
  events.follow(after, () => {})()
  return { kind: 'stream', after: after ?? events.lastId(), follow: (tell) => events.follow(after, tell) }
}

/** What happened, the newest of it, in memory. */
export interface EventLog extends EventFeed {
  tellReplaced(reason: 'reset' | 'snapshot'): void
}

export interface EventLogPorts {
  readonly store: Store
  readonly requests: RequestLog
  /** Tells this run's ids from those of another. */
  readonly run: string
  /** Sandbox time. */
  readonly now: () => number
}

const MOST_KEPT = 10_000

export function createEventLog({ store, requests, run, now }: EventLogPorts): EventLog {
  const happened = createSignal<Event>()
  let events: Event[] = []
  let count = 0

  function keep(type: Event['type'], at: string, data: Event['data']): void {
    const event: Event = { id: `${run}-${++count}`, type, at, data }
    events.push(event)
    if (events.length >= 2 * MOST_KEPT) events = events.slice(-MOST_KEPT)
    happened.emit(event)
  }

  store.subscribe((head) => {
    const { type, data } = toEvent(head, store)
    keep(type, timestamp(head.at), data)
  })
  requests.subscribe((request: RequestRecord) => keep('request', timestamp(now()), { ...request }))

  /** What is known of what came after, and whether something was missed. */
  function since(after: string): { readonly known: readonly Event[]; readonly missed: boolean } {
    const [, itsRun = '', itsCount = ''] = /^(\w+)-(\d{1,15})$/.exec(after) ?? []
    if (after !== '0' && itsRun === '') {
      const message = `Unknown event id "${after}"; take it from the "id" of an event`
      throw new ApiError('invalid', {
        field: 'Last-Event-ID',
        message,
        hint: 'give 0 for everything that is known',
      })
    }
    const seen = itsRun === run ? Number(itsCount) : 0
    const first = count - events.length
    const isOfThisRun = after === '0' || itsRun === run
    return { known: events.slice(Math.max(0, seen - first)), missed: !isOfThisRun || seen < first }
  }

  return {
    follow(after, tell) {
      if (after !== undefined) {
        const { known, missed } = since(after)
        const message = 'What happened in between is no longer known: list what you need'
        // Its id is that of the last event that is not told, so that going on after it repeats nothing.
        if (missed)
          tell({
            id: `${run}-${count - known.length}`,
            type: 'gap',
            at: timestamp(now()),
            data: { after, message },
          })
        for (const event of known) tell(event)
      }
      return happened.subscribe(tell)
    },
    lastId: () => `${run}-${count}`,
    tellReplaced: (reason) => keep('world', timestamp(now()), { reason }),
  }
}

type EventContent = Pick<Event, 'type' | 'data'>

/** An entry of the history as an event, with the data as the operation that lists it replies. */
function toEvent(head: Head, view: View): EventContent {
  switch (head.kind) {
    case 'object': {
      const { object_type, id, revision } = head
      return { type: 'object', data: { object_type, id, revision } }
    }
    case 'registration': {
      const { id, generation, object_type, url, enabled } = head.registration
      return { type: 'registration', data: { id, generation, object_type, url, enabled } }
    }
    case 'deletion':
      return { type: 'registration_removed', data: { id: head.registration_id } }
    case 'job':
    case 'attempt':
    case 'cancellation':
      return toJobEvent(head, view)
    case 'payment':
      return { type: 'payment', data: { ...toPaymentRecord(head.payment, { view }) } }
    case 'secret':
      return { type: 'secret', data: {} }
    case 'readings':
      return { type: 'readings', data: { ...head.chosen } }
    case 'clock':
      return {
        type: 'clock',
        data: { now: timestamp(head.at), ...(head.speed !== undefined && { speed: head.speed }) },
      }
    case 'crafted':
      return { type: 'delivery', data: { id: head.id } }
    case 'fault':
    case 'fault-use':
    case 'fault-end':
      return toFaultEvent(head, view)
    default:
      return head satisfies never
  }
}

function toJobEvent(
  head: Extract<Head, { readonly kind: 'job' | 'attempt' | 'cancellation' }>,
  view: View,
): EventContent {
  const id = head.kind === 'job' ? head.id : head.job_id
  const job = view.job(id)
  const data = job ? { job: toJobSummary(job) } : { job: { id } }
  if (head.kind === 'job') return { type: 'job', data }
  if (head.kind === 'cancellation') return { type: 'job_called_off', data }
  const { number, status, reason, message, manual = false, faults = [] } = head
  return { type: 'attempt', data: { ...data, number, status, reason, message, manual, faults } }
}

function toFaultEvent(
  head: Extract<Head, { readonly kind: 'fault' | 'fault-use' | 'fault-end' }>,
  view: View,
): EventContent {
  if (head.kind === 'fault-end') return { type: 'fault_removed', data: { id: head.fault_id } }
  const id = head.kind === 'fault' ? head.fault.id : head.fault_id
  const fault = view.faults().find((known) => known.id === id)
  return { type: 'fault', data: fault ? { ...toFault(fault) } : { id } }
}
