import type { CheckResult, EventOf, RunEvent } from '../run/run-result.ts'
import { isSameObject, type Evidence, type Exchange, type ObjectRef } from '../finding.ts'
import { isAccepted } from '../toolkit/expectations.ts'
import { objectKey, viewEvent, type ShownEvent } from './events.ts'

/** Selects about `most` events, so that the report stays short even if a check tries a hundred sequences. */
export function selectExcerpt({ finding, events: all }: CheckResult, most: number) {
  const evidence = evidenceOf(finding)
  const events = withoutRepeatedReads(all)
  const related = relatedEvents(events, evidence)
  const merged = mergeAlike(related)
  // Payment steps are the least important events, so the excerpt drops them first.
  const isStep = (event: RunEvent) => event.kind === 'world' && event.about.length > 0
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
  return {
    events: excerpt,
    /** True if the check has more events than the excerpt. */
    isPart,
    hasEarlier: start > 0,
    deciding,
    target,
  }
}

export type Excerpt = ReturnType<typeof selectExcerpt>

export function evidenceOf(finding: CheckResult['finding']): Evidence {
  return (finding && 'evidence' in finding && finding.evidence) || {}
}

/** Returns the events that the evidence concerns, or all events if the evidence is empty. */
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
      // An event without an object, such as a restart of the process, concerns every object.
      (event.kind === 'world' && event.about.length === 0) ||
      viewEvent(event).about.some((object) => keys.has(objectKey(object))),
  )
}

/** Merges consecutive equal deliveries into one event, even if the receiver calls the service between the deliveries. */
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

function isAlike({ exchange: one }: EventOf<'sent'>, { exchange: other }: EventOf<'sent'>): boolean {
  const partsOf = ({ label, request, status, reason }: Exchange) =>
    JSON.stringify([label.replaceAll(/\d+/g, ''), request, status, reason])
  return one === other || partsOf(one) === partsOf(other)
}

/** Removes repeated reads of unchanged effects, because their number depends only on the speed of the machine. */
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

/** Returns the first rejected exchange in the evidence, or else the last. Defaults to the last delivery about the first object. */
function decidingExchange(
  events: readonly RunEvent[],
  { exchanges = [], objects: [target] = [] }: Evidence,
): EventOf<'sent'> | undefined {
  const sent = events.filter((event) => event.kind === 'sent')
  const named = sent.filter(({ exchange }) => exchanges.includes(exchange))
  if (named.length > 0) return named.find(({ exchange }) => !isAccepted(exchange)) ?? named.at(-1)
  const about = sent.filter(({ exchange }) => target && isSameObject(exchange.about, target))
  return new Set(about.map(({ exchange }) => exchange.request.body)).size === 1 ? about.at(-1) : undefined
}

export function effectsAround({ events, target }: Excerpt) {
  const looks = target ? looksAt(target, events) : []
  return { before: looks.at(-2), after: looks.at(-1) }
}

function looksAt(target: ObjectRef, events: readonly RunEvent[]): readonly EventOf<'effects'>[] {
  return events
    .filter((event) => event.kind === 'effects')
    .filter(({ target: seen }) => isSameObject(seen, target))
}

export interface OmittedExchanges extends Pick<Exchange, 'label' | 'status' | 'reason'> {
  readonly count: number
}

/** The maximum size of a report in bytes, without `--report-full`. */
const MAX_BYTES = 1_000_000
/** The limits for the number of events per check. `writeToSize` tries one limit after the other until the report fits. */
const TRIES = [40, 16, 6, 2] as const

/** Writes a report with as many events as fit. With `full`, the report contains all events. */
export function writeToSize(write: (mostEvents: number) => string, full = false): string {
  if (full) return write(Infinity)
  let text = ''
  for (const most of TRIES) {
    text = write(most)
    if (Buffer.byteLength(text) <= MAX_BYTES) break
  }
  return text
}

export function selectShown(result: CheckResult, most: number) {
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
    // Removes numbers from labels, because the labels of equal deliveries can differ in their numbers.
    const key = JSON.stringify([label.replaceAll(/\d+/g, ''), status, reason])
    left.set(key, { label, status, reason, ...left.get(key), count: (left.get(key)?.count ?? 0) + count })
  }
  for (const event of events) if (event.kind === 'sent') add(event.exchange, 1)
  for (const event of shown) if (event.kind === 'sent') add(event.exchange, -(event.times ?? 1))
  return [...left.values()].filter(({ count }) => count > 0)
}

/** The maximum length of a body, in characters. A longer body is cut to `PART` characters around the deciding field. */
const MAX_BODY = 4_500
const PART = 2_000

export const FULL_REPORT = '--html FILE or --report-json FILE, with --report-full,'

/** Shortens a long body to an excerpt around the field. Without a field, keeps the beginning of the body. */
export function excerptBody(body: string, field?: string): string {
  if (body.length <= MAX_BODY) return body
  const found = field === undefined ? -1 : body.indexOf(`"${field}"`)
  const start = Math.max(0, Math.min(found - PART / 2, body.length - PART))
  const end = start + PART
  const before = start === 0 ? '' : `(${start} characters) … `
  const after = end >= body.length ? '' : ` … (${body.length - end} more characters)`
  return `${before}${body.slice(start, end)}${after}; ${FULL_REPORT} shows all ${body.length} characters`
}
