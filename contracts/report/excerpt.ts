import { isSuccess } from '../../spec/delivery.ts'
import type { CheckResult, RunEvent } from '../run/run-result.ts'
import type { Evidence } from '../finding.ts'

/** The part of a check's events that shows what went wrong. */
export interface Excerpt {
  readonly events: readonly RunEvent[]
  /** Whether there were more, about other objects or further away. */
  readonly isPart: boolean
  /** Whether some of them came before the first that is here. */
  readonly hasEarlier: boolean
  /** The exchange that shows it best; undefined if nothing was sent. */
  readonly deciding: SentEvent | undefined
}

type SentEvent = Extract<RunEvent, { readonly kind: 'sent' }>
type EffectsEvent = Extract<RunEvent, { readonly kind: 'effects' }>

/** The events that the finding rests on, at most so many: a check may try a hundred sequences. */
export function selectExcerpt({ finding, events: all }: CheckResult, most: number): Excerpt {
  const events = withoutRepeatedReads(all)
  const evidence = (finding && 'evidence' in finding && finding.evidence) || {}
  const related = relatedEvents(events, evidence)
  const lean = related.length > most ? related.filter(({ kind }) => kind !== 'world') : related
  const deciding = decidingExchange(related, evidence)
  const middle = deciding ? lean.indexOf(deciding) : 0
  const start = Math.max(0, Math.min(middle - Math.floor(most / 2), lean.length - most))
  const excerpt = lean.slice(start, start + most)
  return { events: excerpt, isPart: excerpt.length < events.length, hasEarlier: start > 0, deciding }
}

/** The exchanges of the evidence, and whatever happened to the objects in it; all events where nothing was sent about them. */
function relatedEvents(
  events: readonly RunEvent[],
  { exchanges = [], objects = [] }: Evidence,
): readonly RunEvent[] {
  const keys = new Set([...objects, ...exchanges.flatMap(({ about }) => about ?? [])].map(objectKey))
  const related = events.filter(
    (event) =>
      (event.kind === 'sent' && exchanges.includes(event.exchange)) ||
      objectsOfEvent(event).some((object) => keys.has(objectKey(object))),
  )
  return related.some(({ kind }) => kind === 'sent') ? related : events
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
 * Of the exchanges in the evidence, the first that was not accepted, or else the last. Where it names objects alone, what was
 * sent last about them, controls aside: what was refused before may have been refused because the check made the service fail.
 */
function decidingExchange(
  events: readonly RunEvent[],
  { exchanges = [], objects = [] }: Evidence,
): SentEvent | undefined {
  const sent = events.filter((event) => event.kind === 'sent')
  const named = sent.filter(({ exchange }) => exchanges.includes(exchange))
  const own = named.length > 0 ? named : sent.filter(({ exchange }) => exchange.role !== 'control')
  const isAboutObjects = named.length === 0 && objects.length > 0
  const refused = isAboutObjects
    ? undefined
    : own.find(({ exchange: { status } }) => status === null || !isSuccess(status))
  return refused ?? own.at(-1) ?? sent.at(-1)
}

/** What was read of the same object before and after the deciding exchange. */
export interface EffectsAround {
  readonly before: EffectsEvent | undefined
  readonly after: EffectsEvent | undefined
}

/** The last effects that were read before the deciding exchange, and of the same object after it. */
export function effectsAround({ events, deciding }: Excerpt): EffectsAround {
  const at = deciding ? events.indexOf(deciding) : 0
  const after = effectsIn(events.slice(at)).at(-1)
  const before = effectsIn(events.slice(0, at)).findLast(({ target }) => target.id === after?.target.id)
  return { before, after }
}

function effectsIn(events: readonly RunEvent[]): readonly EffectsEvent[] {
  return events.filter((event) => event.kind === 'effects')
}
