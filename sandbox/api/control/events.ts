import type { Event } from '../../../spec/generated/control-types.ts'
import { textLength, toRequestRecord, withStoredId, type RequestLog } from './requests.ts'
import type { Store } from '../../engine/state/store.ts'
import type { Head, HeadByKind, HeadOf } from '../../engine/state/entries.ts'
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
    const content = toEvent(head, { view: store, readings })
    if (content) keep(() => ({ at: timestamp(head.at), ...content() }))
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

function gapEvent(after: string, at: number): Omit<Event, 'id' | 'text'> {
  const message = 'The events after this id are no longer available. List the records that you need'
  return { type: 'gap', at: timestamp(at), data: { after, message } }
}

type EventContent = Pick<Event, 'type' | 'data'>

type EventContext = Pick<Context, 'view' | 'readings'>

/**
 * The functions that create events, by entry kind. Each function reads mutable data immediately and returns a function that
 * formats the event.
 */
const EVENTS: {
  readonly [Kind in Head['kind']]: (
    head: HeadByKind[Kind],
    context: EventContext,
  ) => (() => EventContent) | undefined
} = {
  object: ({ object_type, id, revision }) => event('object', { object_type, id, revision }),
  registration: ({ registration: { id, generation, object_type, url, enabled } }) =>
    event('registration', { id, generation, object_type, url, enabled }),
  deletion: ({ registration_id }) => event('registration_removed', { id: registration_id }),
  job({ id }, context) {
    const data = jobData(id, context)
    return () => ({ type: 'job', data: data() })
  },
  // The start of an attempt creates no event, because the stream reports each attempt after its end.
  'attempt-start': () => undefined,
  attempt({ job_id, number, status, reason, message, manual = false, faults = [], timings }, context) {
    const data = jobData(job_id, context)
    return () => ({
      type: 'attempt',
      data: { ...data(), number, status, reason, message, manual, faults, took_ms: timings.totalMs },
    })
  },
  cancellation({ job_id }, context) {
    const data = jobData(job_id, context)
    return () => ({ type: 'job_called_off', data: data() })
  },
  payment: ({ payment }, context) => event('payment', { ...toPaymentRecord(payment, context) }),
  'next-outcome': ({ payment_kind, outcome }) => event('next_outcome', { kind: payment_kind, outcome }),
  secret: () => event('secret', {}),
  readings: ({ chosen }) => event('readings', { ...chosen }),
  clock: ({ at, speed }) => event('clock', { now: timestamp(at), ...(speed !== undefined && { speed }) }),
  crafted: ({ id }) => event('delivery', { id }),
  fault: ({ fault: { id } }, { view }) => faultEvent(id, view),
  'fault-use': ({ fault_id }, { view }) => faultEvent(fault_id, view),
  'fault-end': ({ fault_id }) => event('fault_removed', { id: fault_id }),
}

function event(type: Event['type'], data: EventContent['data']): () => EventContent {
  return () => ({ type, data })
}

function toEvent<Kind extends Head['kind']>(
  head: HeadOf<Kind>,
  context: EventContext,
): (() => EventContent) | undefined {
  return EVENTS[head.kind](head, context)
}

/** Reads the job now, because the job may change before the event is formatted. */
function jobData(id: string, context: EventContext): () => EventContent['data'] {
  const job = context.view.job(id)
  return () => ({ job: job ? toJobSummary(job, context) : { id } })
}

function faultEvent(id: string, view: View): () => EventContent {
  const fault = view.faults().find((known) => known.id === id)
  return event('fault', fault ? { ...toFault(fault) } : { id })
}

type KeptEvent = () => Omit<Event, 'id' | 'text'>

/** The minimum number of stored events. The maximum is twice this number. A follower that lags by more than this misses events. */
const MAX_KEPT = 20_000

/** The maximum number of characters in stored events. Limits memory, because unauthenticated callers can send long paths. */
const MAX_CHARACTERS = 8_000_000

function writeOut(id: string, content: ReturnType<KeptEvent>): Event {
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
  throw new ApiError('invalid', {
    field: 'Last-Event-ID',
    message,
    hint: 'use 0 to get all known events',
  })
}
