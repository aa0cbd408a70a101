import type { CheckResult, RunEvent } from '../run/run-result.ts'
import type { Evidence, Exchange, ObjectRef } from '../finding.ts'
import { isAccepted } from '../toolkit/expectations.ts'
import { objectKey, viewEvent, type ShownEvent } from './events.ts'

/** The part of a check's events that decided its finding. */
export interface Excerpt {
  readonly events: readonly ShownEvent[]
  /** Whether there were more, about other objects or further away. */
  readonly isPart: boolean
  /** Whether some of them came before the first that is here. */
  readonly hasEarlier: boolean
  /** The exchange that decided; undefined if none did by itself. */
  readonly deciding: SentEvent | undefined
  /** The object that decided; undefined if the finding is about none. */
  readonly target: ObjectRef | undefined
}

type SentEvent = Extract<RunEvent, { readonly kind: 'sent' }>
type EffectsEvent = Extract<RunEvent, { readonly kind: 'effects' }>

/** The events that the finding rests on, about `most`: a check may try a hundred sequences. */
export function selectExcerpt({ finding, events: all }: CheckResult, most: number): Excerpt {
  const evidence = evidenceOf(finding)
  const events = withoutRepeatedReads(all)
  const related = relatedEvents(events, evidence)
  const merged = mergeAlike(related)
  const lean = merged.length > most ? merged.filter((event) => !isStep(event)) : merged
  const deciding = decidingExchange(related, evidence)
  const target = evidence.objects?.[0] ?? deciding?.exchange.about
  const middle = deciding
    ? lean.findLastIndex((event) => event.kind === 'sent' && isAlike(event, deciding))
    : lean.length
  const start = Math.max(0, Math.min(middle - Math.floor(most / 2), lean.length - most))
  const look = target && looksAt(target, lean).at(-1)
  const excerpt = lean.filter((event, index) => (index >= start && index < start + most) || event === look)
  const isPart = excerpt.reduce((count, { times = 1 }) => count + times, 0) < events.length
  return { events: excerpt, isPart, hasEarlier: start > 0, deciding, target }
}

export function evidenceOf(finding: CheckResult['finding']): Evidence {
  return (finding && 'evidence' in finding && finding.evidence) || {}
}

/** What only says how far a payment has come. */
function isStep(event: RunEvent): boolean {
  return event.kind === 'world' && event.about.length > 0
}

/** The exchanges and calls of the evidence, and all that happened to its objects; every event where it names nothing. */
function relatedEvents(
  events: readonly RunEvent[],
  { exchanges = [], objects = [], calls = [] }: Evidence,
): readonly RunEvent[] {
  if (exchanges.length + objects.length + calls.length === 0) return events
  const keys = new Set([...objects, ...exchanges.flatMap(({ about }) => about ?? [])].map(objectKey))
  const callIds = new Set(calls.map(({ id }) => id))
  return events.filter(
    (event) =>
      (event.kind === 'sent' && exchanges.includes(event.exchange)) ||
      (event.kind === 'called' && callIds.has(event.request.id)) ||
      // What was done to the process, or to the service as a whole, is about every object.
      (event.kind === 'world' && event.about.length === 0) ||
      viewEvent(event).about.some((object) => keys.has(objectKey(object))),
  )
}

/** The events, with deliveries that are alike as one if only calls of the receiver came between them. */
function mergeAlike(events: readonly RunEvent[]): readonly ShownEvent[] {
  const merged: ShownEvent[] = []
  let last = -1
  for (const event of events) {
    const earlier = merged[last]
    if (event.kind === 'sent' && earlier?.kind === 'sent' && isAlike(event, earlier)) {
      merged[last] = { ...earlier, times: (earlier.times ?? 1) + 1 }
      continue
    }
    if (event.kind !== 'called') last = event.kind === 'sent' ? merged.length : -1
    merged.push(event)
  }
  return merged
}

/** The labels may count the deliveries. */
function isAlike({ exchange: one }: SentEvent, { exchange: other }: SentEvent): boolean {
  const partsOf = ({ label, request, status, reason }: Exchange) =>
    JSON.stringify([label.replaceAll(/\d+/g, ''), request, status, reason])
  return one === other || partsOf(one) === partsOf(other)
}

/** Effects are read again and again until they have settled: how often depends on the machine, and says nothing. */
export function withoutRepeatedReads(events: readonly RunEvent[]): readonly RunEvent[] {
  const last = new Map<string, string>()
  return events.filter((event) => {
    if (event.kind === 'sent') for (const object of viewEvent(event).about) last.delete(objectKey(object))
    if (event.kind !== 'effects') return true
    const seen = JSON.stringify(event.seen)
    if (last.get(objectKey(event.target)) === seen) return false
    last.set(objectKey(event.target), seen)
    return true
  })
}

/**
 * Of the exchanges in the evidence, the first that was not accepted, or else the last. Where it names objects alone, the delivery
 * about the first of them, if there was only one, however often.
 */
function decidingExchange(
  events: readonly RunEvent[],
  { exchanges = [], objects: [target] = [] }: Evidence,
): SentEvent | undefined {
  const sent = events.filter((event) => event.kind === 'sent')
  const named = sent.filter(({ exchange }) => exchanges.includes(exchange))
  if (named.length > 0) return named.find(({ exchange }) => !isAccepted(exchange)) ?? named.at(-1)
  const about = sent.filter(({ exchange }) => target && isSameObject(exchange.about, target))
  return new Set(about.map(({ exchange }) => exchange.request.body)).size === 1 ? about.at(-1) : undefined
}

/** What was read of the object that decided. */
export interface EffectsAround {
  readonly before: EffectsEvent | undefined
  readonly after: EffectsEvent | undefined
}

/** The last look at the object that decided, and the look at it before. */
export function effectsAround({ events, target }: Excerpt): EffectsAround {
  const looks = target ? looksAt(target, events) : []
  return { before: looks.at(-2), after: looks.at(-1) }
}

function looksAt(target: ObjectRef, events: readonly RunEvent[]): readonly EffectsEvent[] {
  return events
    .filter((event) => event.kind === 'effects')
    .filter(({ target: seen }) => isSameObject(seen, target))
}

function isSameObject(one: ObjectRef | undefined, other: ObjectRef): boolean {
  return one?.type === other.type && one.id === other.id
}

/** What a report shows of the events of a check. */
interface ShownEvents {
  readonly events: readonly ShownEvent[]
  /** The deliveries that it leaves out, those that are alike counted. */
  readonly omitted: readonly OmittedExchanges[]
}

/** Deliveries that were labelled alike and answered alike. */
export interface OmittedExchanges extends Pick<Exchange, 'label' | 'status' | 'reason'> {
  readonly count: number
}

/** A report of a run is at most so long, in bytes, unless a full one is asked for. */
const MOST_BYTES = 1_000_000
/** How many events of a check are tried, until the report is short enough. */
const TRIES = [40, 16, 6, 2] as const

/** Writes a report with as many events of each check as there is room for; with all of them in a full report. */
export function writeToSize(write: (mostEvents: number) => string, full = false): string {
  if (full) return write(Infinity)
  let text = ''
  for (const most of TRIES) {
    text = write(most)
    if (Buffer.byteLength(text) <= MOST_BYTES) break
  }
  return text
}

/** At most about `most` events, and only those that decided the finding; without a limit, every event. */
export function selectShown(result: CheckResult, most: number): ShownEvents {
  const events = withoutRepeatedReads(result.events)
  if (most === Infinity) return { events, omitted: [] }
  const isOpen = result.verdict === 'failed' || result.verdict === 'inconclusive'
  const shown = isOpen ? selectExcerpt(result, most).events : []
  return { events: shown, omitted: countOmitted(events, shown) }
}

function countOmitted(
  events: readonly RunEvent[],
  shown: readonly ShownEvent[],
): readonly OmittedExchanges[] {
  const left = new Map<string, OmittedExchanges>()
  const add = ({ label, status, reason }: Exchange, count: number) => {
    // The labels may count the deliveries.
    const key = JSON.stringify([label.replaceAll(/\d+/g, ''), status, reason])
    left.set(key, { label, status, reason, ...left.get(key), count: (left.get(key)?.count ?? 0) + count })
  }
  for (const event of events) if (event.kind === 'sent') add(event.exchange, 1)
  for (const event of shown) if (event.kind === 'sent') add(event.exchange, -(event.times ?? 1))
  return [...left.values()].filter(({ count }) => count > 0)
}

/** A body up to this length is shown whole; of a longer one, so much of the part that decided. */
const MOST_BODY = 4_500
const PART = 2_000

/** How to get what a report leaves out. */
export const FULL_REPORT = '--html FILE or --report-json FILE, with --report-full,'

/** A body, or the part around the field that decided and how to see the rest; the beginning if no field decided. */
export function excerptBody(body: string, field?: string): string {
  if (body.length <= MOST_BODY) return body
  const found = field === undefined ? -1 : body.indexOf(`"${field}"`)
  const start = Math.max(0, Math.min(found - PART / 2, body.length - PART))
  const end = start + PART
  const before = start === 0 ? '' : `(${start} characters) … `
  const after = end >= body.length ? '' : ` … (${body.length - end} more characters)`
  return `${before}${body.slice(start, end)}${after}; ${FULL_REPORT} shows all ${body.length} characters`
}
