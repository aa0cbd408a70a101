import type { Event } from '../../../spec/generated/control-types.ts'
import { textLength, toRequestRecord, withStoredId, type RequestLog } from './requests.ts'
import type { Store } from '../../engine/state/store.ts'
import type { Head, HeadByKind, HeadOf } from '../../engine/state/entries.ts'
import type { JobRecord } from '../../engine/state/job.ts'
import type { View } from '../../engine/state/view.ts'
import { readIfWhole } from '../../engine/state/storage-error.ts'
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
  const context = { view: store, readings }

  const { keep, keepOnly, follow, lastId } = createKeptEvents(run, {
    format(position) {
      const head = readIfWhole(() => store.head(position))
      return head && isShown(head) ? formatEntry(head, position, context) : undefined
    },
    toGap: (after) => gapEvent(after, now()),
  })
  store.subscribe((head, position) => {
    if (!isShown(head)) return
    // Formats the event of a fault now, because the history does not contain its counts.
    keep(head.kind.startsWith('fault') ? always(formatEntry(head, position, context)) : position)
  })
  store.onReplacing(() => keepOnly(MAX_AFTER_REPLACEMENT))
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
    follow,
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
/** The position of an entry in the history, or a function for an event that is not in the history. */
type KeptEvent = number | (() => FormattedEvent)

const always = (event: FormattedEvent) => () => event

type EventContext = Pick<Context, 'view' | 'readings'>

/** The start of an attempt is not shown, because the stream reports each attempt after its end. */
type ShownKind = Exclude<Head['kind'], 'attempt-start'>

const isShown = (head: Head): head is HeadByKind[ShownKind] => head.kind !== 'attempt-start'

type EntryEvent = readonly [type: Event['type'], data: EventContent['data']]

/** For each entry kind, the function that returns the type and the data of the event. `position` is the position of the entry. */
const EVENTS: {
  readonly [Kind in ShownKind]: (
    head: HeadByKind[Kind],
    context: EventContext,
    position: number,
  ) => EntryEvent
} = {
  object: ({ object_type, id, revision }) => ['object', { object_type, id, revision }],
  registration({ registration: { id, generation, object_type, url, enabled } }) {
    return ['registration', { id, generation, object_type, url, enabled }]
  },
  deletion: ({ registration_id: id }) => ['registration_removed', { id }],
  job: ({ id }, context, position) => ['job', jobData(id, context.view.jobAfter(id, position), context)],
  attempt(head, context, position) {
    const { number, status, reason, message, manual = false, faults = [], timings } = head
    const about = { number, status, reason, message, manual, faults, took_ms: timings.totalMs }
    const job = context.view.jobAfter(head.job_id, position)
    return ['attempt', { ...jobData(head.job_id, job, context), ...about }]
  },
  cancellation({ job_id }, context, position) {
    const job = context.view.jobAfter(job_id, position)
    return ['job_called_off', jobData(job_id, job && { ...job, next_due_at: null }, context)]
  },
  payment: ({ payment }, context) => ['payment', { ...toPaymentRecord(payment, context) }],
  'next-outcome': ({ payment_kind: kind, outcome }) => ['next_outcome', { kind, outcome }],
  secret: () => ['secret', {}],
  readings: ({ chosen }) => ['readings', { ...chosen }],
  clock: ({ at, speed }) => ['clock', { now: timestamp(at), ...(speed !== undefined && { speed }) }],
  crafted: ({ id }) => ['delivery', { id }],
  fault: ({ fault: { id } }, { view }) => ['fault', faultData(id, view)],
  'fault-use': ({ fault_id }, { view }) => ['fault', faultData(fault_id, view)],
  'fault-end': ({ fault_id: id }) => ['fault_removed', { id }],
}

function formatEntry<Kind extends ShownKind>(
  head: HeadOf<Kind>,
  position: number,
  context: EventContext,
): FormattedEvent {
  const [type, data] = EVENTS[head.kind](head, context, position)
  return { at: timestamp(head.at), type, data }
}

function jobData(id: string, job: JobRecord | undefined, context: EventContext): EventContent['data'] {
  return { job: job ? toJobSummary(job, context) : { id } }
}

function faultData(id: string, view: View): EventContent['data'] {
  const fault = view.faults().find((known) => known.id === id)
  return fault ? { ...toFault(fault) } : { id }
}

/** The minimum number of stored events. The maximum is twice this number. A follower that lags by more than this misses events. */
const MAX_KEPT = 20_000

/** The maximum number of characters in stored events. Limits memory, because unauthenticated callers can send long paths. */
const MAX_CHARACTERS = 8_000_000

function writeOut(id: string, content: FormattedEvent): Event {
  return { id, ...content, text: eventText(content) }
}

/** The number of events from before a replacement of the world that are still stored afterwards. */
const MAX_AFTER_REPLACEMENT = 1_000

interface EventFormats {
  /** Formats the event of the entry at a position. Returns undefined if the entry is damaged. */
  readonly format: (position: number) => FormattedEvent | undefined
  /** Creates the event that stands for missing events after the event with this id. */
  readonly toGap: (after: string) => FormattedEvent
}

export function createKeptEvents(run: string, { format, toGap }: EventFormats) {
  const more = createSignal<void>()
  const kept = createNewest<KeptEvent>(MAX_KEPT, MAX_CHARACTERS)
  let count = 0
  let written: Event | undefined

  const idOf = (number: number) => `${run}-${number}`
  const firstKept = () => count - kept.length + 1
  const formatKept = (event: KeptEvent, number: number) =>
    typeof event === 'number' ? (format(event) ?? toGap(idOf(number - 1))) : event()

  /** Formats an event. Caches the last formatted event, because most followers read the same event. */
  function write(number: number): Event | undefined {
    const event = kept.at(number - firstKept())
    if (event === undefined) return undefined
    if (written?.id !== idOf(number)) written = writeOut(idOf(number), formatKept(event, number))
    return written
  }

  return {
    /** Stores an event. `held` is the number of additional characters that the stored event keeps in memory. */
    keep(event: KeptEvent, held = 0): void {
      count++
      kept.push(event, held)
      more.emit()
    },
    /** Formats the newest `most` events, and drops the other events, because their entries will be removed. */
    keepOnly(most: number): void {
      let number = Math.max(firstKept(), count - most + 1)
      kept.keepOnly(most, (event) => always(formatKept(event, number++)))
    },
    lastId: () => idOf(count),
    follow(after: string, onMore: () => void): Cursor<Event> {
      let { place, missed } = findPlace(after, run, { first: firstKept(), last: count })
      const isLost = () => place + 1 < firstKept()
      return {
        get isLost() {
          return isLost()
        },
        next() {
          // The `gap` event has the id of the last missed event. A reader that resumes after this id gets each later event once.
          if (missed) {
            missed = false
            return writeOut(idOf(place), toGap(after))
          }
          if (isLost() || place === count) return undefined
          return write(++place)
        },
        end: more.subscribe(onMore),
      }
    },
  }
}

function findPlace(
  after: string,
  run: string,
  { first, last }: { readonly first: number; readonly last: number },
): { readonly place: number; readonly missed: boolean } {
  const { itsRun, itsCount } = parseEventId(after)
  const seen = itsRun === run ? Math.min(Number(itsCount), last) : 0
  const place = Math.max(seen, first - 1)
  return { place, missed: place > seen || (after !== '0' && itsRun !== run) }
}

function parseEventId(id: string): { readonly itsRun: string; readonly itsCount: string } {
  const [, itsRun = '', itsCount = ''] = /^(\w+)-(\d{1,15})$/.exec(id) ?? []
  if (id === '0' || itsRun !== '') return { itsRun, itsCount }
  const message = `Unknown event id "${id}". Use the "id" of an earlier event`
  throw new ApiError('invalid', { field: 'Last-Event-ID', message, hint: 'use 0 to get all known events' })
}
