import type { Event } from '../../../spec/generated/control-types.ts'
import { textLength, toRequestRecord, withStoredId, type RequestLog } from './requests.ts'
import type { Store } from '../../engine/state/store.ts'
import type { Head, HeadByKind, HeadOf } from '../../engine/state/entries.ts'
import type { JobRecord } from '../../engine/state/job.ts'
import type { View } from '../../engine/state/view.ts'
import { toFault } from './faults.ts'
import { toJobSummary } from './jobs.ts'
import { toPaymentRecord } from './payments.ts'
import type { ControlOperation } from './operation.ts'
import type { Context, Cursor } from '../operations/operation.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { createNewest } from '../../engine/core/newest.ts'
import { createSignal } from '../../engine/core/signal.ts'
import { eventText } from './event-text.ts'

export const streamEvents: ControlOperation<'streamEvents'> = ({ headers }, { events }) => {
  const after = headers['last-event-id'] ?? events.lastId()
  // Checks the event id before the stream begins. Throws ApiError for an invalid id.
  events.follow(after, () => {}).end()
  return { kind: 'stream', after, follow: (onMore) => events.follow(after, onMore) }
}

interface EventSources {
  readonly store: Store
  readonly requests: RequestLog
  readonly readings: () => ReadingValues
  /** The id of this sandbox run. Event ids contain this id, so that they differ between runs. */
  readonly run: string
  readonly now: () => number
}

export function createEventLog({ store, requests, readings, run, now }: EventSources) {
  const { keep, follow, lastId } = createKeptEvents(run)

  store.subscribe((head) => {
    const kept = toEvent(head, { view: store, readings })
    if (kept) keep(kept)
  })
  requests.subscribe((call) => {
    const endedAt = now()
    const ended = () => ({
      type: 'request' as const,
      at: timestamp(endedAt),
      data: { ...withStoredId(toRequestRecord(call), store) },
    })
    keep(ended, textLength(call))
  })

  return {
    follow: (after: string, onMore: () => void) =>
      follow(after, { onMore, toGap: () => gapEvent(after, now()) }),
    lastId,
    emit(content: EventContent): void {
      const at = timestamp(now())
      keep(() => ({ at, ...content }))
    },
  }
}

function gapEvent(after: string, at: number): FormattedEvent {
  const message = 'The events after this id are no longer available. List the records that you need'
  return { type: 'gap', at: timestamp(at), data: { after, message } }
}

type EventContent = Pick<Event, 'type' | 'data'>
type FormattedEvent = Omit<Event, 'id' | 'text'>
type KeptEvent = () => FormattedEvent

type EventContext = Pick<Context, 'view' | 'readings'>

/**
 * The functions that create events, by entry kind. Each function reads mutable data immediately and returns a function that
 * formats the event. Thousands of these functions are stored, so each function keeps only a few values.
 */
const EVENTS: {
  readonly [Kind in Head['kind']]: (head: HeadByKind[Kind], context: EventContext) => KeptEvent | undefined
} = {
  object: (head) => () => {
    const { object_type, id, revision } = head
    return formatEvent(head, 'object', { object_type, id, revision })
  },
  registration: (head) => () => {
    const { id, generation, object_type, url, enabled } = head.registration
    return formatEvent(head, 'registration', { id, generation, object_type, url, enabled })
  },
  deletion: (head) => () => formatEvent(head, 'registration_removed', { id: head.registration_id }),
  job(head, context) {
    const job = context.view.job(head.id)
    return () => formatEvent(head, 'job', jobData(head.id, job, context))
  },
  // The start of an attempt creates no event, because the stream reports each attempt after its end.
  'attempt-start': () => undefined,
  attempt(head, context) {
    const job = context.view.job(head.job_id)
    return () => {
      const { number, status, reason, message, manual = false, faults = [], timings } = head
      const about = { number, status, reason, message, manual, faults, took_ms: timings.totalMs }
      return formatEvent(head, 'attempt', { ...jobData(head.job_id, job, context), ...about })
    }
  },
  cancellation(head, context) {
    const job = context.view.job(head.job_id)
    return () => formatEvent(head, 'job_called_off', jobData(head.job_id, job, context))
  },
  payment: (head, context) => eventNow(head, 'payment', { ...toPaymentRecord(head.payment, context) }),
  'next-outcome': (head) => () =>
    formatEvent(head, 'next_outcome', { kind: head.payment_kind, outcome: head.outcome }),
  secret: (head) => () => formatEvent(head, 'secret', {}),
  readings: (head) => () => formatEvent(head, 'readings', { ...head.chosen }),
  clock: (head) => () => {
    const { at, speed } = head
    return formatEvent(head, 'clock', { now: timestamp(at), ...(speed !== undefined && { speed }) })
  },
  crafted: (head) => () => formatEvent(head, 'delivery', { id: head.id }),
  fault: (head, { view }) => faultEvent(head, head.fault.id, view),
  'fault-use': (head, { view }) => faultEvent(head, head.fault_id, view),
  'fault-end': (head) => () => formatEvent(head, 'fault_removed', { id: head.fault_id }),
}

function formatEvent({ at }: Head, type: Event['type'], data: EventContent['data']): FormattedEvent {
  return { at: timestamp(at), type, data }
}

function eventNow(head: Head, type: Event['type'], data: EventContent['data']): KeptEvent {
  return () => formatEvent(head, type, data)
}

function toEvent<Kind extends Head['kind']>(
  head: HeadOf<Kind>,
  context: EventContext,
): KeptEvent | undefined {
  return EVENTS[head.kind](head, context)
}

function jobData(id: string, job: JobRecord | undefined, context: EventContext): EventContent['data'] {
  return { job: job ? toJobSummary(job, context) : { id } }
}

function faultEvent(head: Head, id: string, view: View): KeptEvent {
  const fault = view.faults().find((known) => known.id === id)
  return eventNow(head, 'fault', fault ? { ...toFault(fault) } : { id })
}

/** The minimum number of stored events. The maximum is twice this number. A follower that lags by more than this misses events. */
const MAX_KEPT = 20_000

/** The maximum number of characters in stored events. Limits memory, because unauthenticated callers can send long paths. */
const MAX_CHARACTERS = 8_000_000

function writeOut(id: string, content: FormattedEvent): Event {
  return { id, ...content, text: eventText(content) }
}

export function createKeptEvents(run: string) {
  const more = createSignal<void>()
  const kept = createNewest<KeptEvent>(MAX_KEPT, MAX_CHARACTERS)
  let count = 0
  let written: Event | undefined

  const idOf = (number: number) => `${run}-${number}`
  const firstKept = () => count - kept.length + 1

  /** Formats an event. Caches the last formatted event, because most followers read the same event. */
  function write(number: number): Event | undefined {
    const format = kept.at(number - firstKept())
    if (format && written?.id !== idOf(number)) written = writeOut(idOf(number), format())
    return format && written
  }

  function findPlace(after: string): { readonly place: number; readonly missed: boolean } {
    const { itsRun, itsCount } = parseEventId(after)
    const seen = itsRun === run ? Math.min(Number(itsCount), count) : 0
    const place = Math.max(seen, firstKept() - 1)
    return { place, missed: place > seen || (after !== '0' && itsRun !== run) }
  }

  return {
    /** Stores an event. `held` is the number of additional characters that the stored event keeps in memory. */
    keep(format: KeptEvent, held = 0): void {
      count++
      kept.push(format, held)
      more.emit()
    },
    lastId: () => idOf(count),
    follow(
      after: string,
      { onMore, toGap }: { readonly onMore: () => void; readonly toGap: KeptEvent },
    ): Cursor<Event> {
      let { place, missed } = findPlace(after)
      const isLost = () => place + 1 < firstKept()
      return {
        get isLost() {
          return isLost()
        },
        next() {
          // The `gap` event has the id of the last missed event. A reader that resumes after this id gets each later event once.
          if (missed) {
            missed = false
            return writeOut(idOf(place), toGap())
          }
          if (isLost() || place === count) return undefined
          return write(++place)
        },
        end: more.subscribe(onMore),
      }
    },
  }
}

function parseEventId(id: string): { readonly itsRun: string; readonly itsCount: string } {
  const [, itsRun = '', itsCount = ''] = /^(\w+)-(\d{1,15})$/.exec(id) ?? []
  if (id === '0' || itsRun !== '') return { itsRun, itsCount }
  const message = `Unknown event id "${id}". Use the "id" of an earlier event`
  throw new ApiError('invalid', { field: 'Last-Event-ID', message, hint: 'use 0 to get all known events' })
}
