import type { Exchange } from '../finding.ts'
import { clip } from './columns.ts'
import { formatMs } from './report.ts'
import type { RunEvent } from '../run/run-result.ts'
import { describeEffectCount } from '../toolkit/expectations.ts'

/** An event in a report. `times` is the number of deliveries with the same answer that this event combines. */
export type ShownEvent = RunEvent & { readonly times?: number }

export function viewEvent(event: ShownEvent) {
  switch (event.kind) {
    case 'sent':
      return viewDelivery(event)
    case 'called':
      return viewCall(event)
    case 'effects':
      return viewEffects(event)
    case 'world': {
      const { kind, text, about, atMs: at_ms } = event
      return { mark: '·', text, outcome: '', about, order: `1 ${text}`, data: { kind, at_ms, text } }
    }
    default:
      return event satisfies never
  }
}

type EventOf<Kind extends ShownEvent['kind']> = Extract<ShownEvent, { readonly kind: Kind }>

function viewDelivery({ kind, atMs: at_ms, exchange, times }: EventOf<'sent'>) {
  const { label, about, request, status, reason, message, flags, tookMs: took_ms, response } = exchange
  const data = { kind, at_ms, label, request, status, reason, message, flags, took_ms, response }
  return {
    mark: '→',
    text: times === undefined ? label : `${times} × ${label}`,
    outcome: formatAnswer(status ?? reason ?? 'no answer', took_ms),
    about: about ? [about] : [],
    order: `2 ${request.body} ${label} ${request.url}`,
    data: times === undefined ? data : { ...data, times },
  }
}

function viewCall({ kind, atMs: at_ms, request: { id: _, ...request } }: EventOf<'called'>) {
  const { method, path, status, took_ms, object_type: type, object_id } = request
  return {
    mark: '←',
    text: `${method} ${path}`,
    outcome: formatAnswer(status ?? 'cut', took_ms),
    about: type === null || object_id === null ? [] : [{ type, id: object_id }],
    order: `4 ${path}`,
    // Omits the id of the call, because the id depends on the concurrent calls of other checks.
    data: { kind, at_ms, request },
  }
}

function viewEffects({ kind, atMs: at_ms, target, seen }: EventOf<'effects'>) {
  const { type, id } = target
  const state = seen.state === null ? '' : `, state ${seen.state}`
  return {
    mark: '●',
    text: `${type} ${id}: ${describeEffectCount(seen)}${state}`,
    outcome: '',
    about: [target],
    order: `3 ${type} ${id} ${seen.effects}`,
    data: { kind, at_ms, object_type: type, id, ...seen },
  }
}

export const OUTCOME_WIDTH = 19

function formatAnswer(answer: string | number, tookMs: number | null): string {
  const took = tookMs === null ? '' : ` in ${formatMs(tookMs)}`
  return clip(String(answer), OUTCOME_WIDTH - took.length) + took
}

/** A line of a timeline. An answer gets its own line if another event happened before the answer. */
export interface TimelineEntry {
  readonly event: ShownEvent
  readonly atMs: number
  readonly part: 'whole' | 'request' | 'answer'
}

/** Lists the events in causal order. Other events can happen before a response. */
export function toTimeline(events: readonly ShownEvent[]): readonly TimelineEntry[] {
  const entries = events.flatMap((event) => toEntries(event, events))
  return entries.toSorted((a, b) => a.atMs - b.atMs || orderAtOnce(a) - orderAtOnce(b))
}

function toEntries(event: ShownEvent, events: readonly ShownEvent[]): readonly TimelineEntry[] {
  const { atMs } = event
  if (event.kind !== 'sent') return [{ event, atMs, part: 'whole' }]
  const { exchange } = event
  const endMs = atMs + exchange.tookMs
  const isInterrupted = events.some(
    (other) =>
      !(other.kind === 'sent' && other.exchange === exchange) && other.atMs >= atMs && other.atMs < endMs,
  )
  if (!isInterrupted) return [{ event, atMs, part: 'whole' }]
  return [
    { event, atMs, part: 'request' },
    { event, atMs: endMs, part: 'answer' },
  ]
}

/** Ranks events that occur in the same millisecond. A delivery comes before its consequences. */
function orderAtOnce({ event: { kind }, part }: TimelineEntry): number {
  if (part === 'answer') return 3
  return kind === 'world' ? 0 : kind === 'sent' ? 1 : kind === 'called' ? 2 : 3
}

/** Describes a line of a timeline. `outcome` is an answer and its time. `isBad` is true if the answer is missing. */
export function describeEntry({ event, part }: TimelineEntry) {
  const { mark, text, outcome } = viewEvent(event)
  const isBad = event.kind === 'sent' && event.exchange.reason !== null
  if (part === 'answer') return { mark: '⇠', text: `answer to ${text}`, outcome, isBad }
  return { mark, text, outcome: part === 'request' ? '' : outcome, isBad }
}

export function objectKey({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type} ${id}`
}

export function exchangesAbout(
  objects: readonly { readonly type: string; readonly id: string }[],
  events: readonly RunEvent[],
): readonly Exchange[] {
  const keys = new Set(objects.map(objectKey))
  return events.flatMap((event) =>
    event.kind === 'sent' && event.exchange.about && keys.has(objectKey(event.exchange.about))
      ? [event.exchange]
      : [],
  )
}
