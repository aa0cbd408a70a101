import type { CheckResult, RunEvent } from '../run/run-result.ts'
import type { Evidence, Exchange, ObjectRef } from '../finding.ts'
import { isAccepted } from '../toolkit/expectations.ts'

/** A delivery that stands for others that are alike: the same bytes to the same URL, with the same status. */
export type ShownEvent = RunEvent & {
  /** How many deliveries it stands for, if there is more than one. */
  readonly times?: number
}

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
      objectsOfEvent(event).some((object) => keys.has(objectKey(object))),
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

function objectsOfEvent(event: RunEvent): readonly { readonly type: string; readonly id: string }[] {
  switch (event.kind) {
    case 'sent':
      return event.exchange.about ? [event.exchange.about] : []
    case 'effects':
      return [event.target]
    case 'called': {
      const { object_type, object_id } = event.request
      return object_type === null || object_id === null ? [] : [{ type: object_type, id: object_id }]
    }
    case 'world':
      return event.about
    default:
      return event satisfies never
  }
}

function objectKey({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type} ${id}`
}

/** Effects are read again and again until they have settled: how often depends on the machine, and says nothing. */
export function withoutRepeatedReads(events: readonly RunEvent[]): readonly RunEvent[] {
  const last = new Map<string, string>()
  return events.filter((event) => {
    if (event.kind === 'sent') for (const object of objectsOfEvent(event)) last.delete(objectKey(object))
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
