import type { RunEvent } from '../run/run-result.ts'
import type { ShownEvent } from './excerpt.ts'
import type { Exchange } from '../finding.ts'

/** What a report shows of what happened, line by line; `answered` is the end of what was sent before. */
export type TimelineEntry =
  | Exclude<RunEvent, { readonly kind: 'sent' }>
  | {
      readonly kind: 'sent'
      readonly atMs: number
      readonly exchange: Exchange
      /** Whether nothing happened until it was answered: then it is one entry with its answer. */
      readonly hasAnswer: boolean
      /** How many deliveries it stands for, if there is more than one. */
      readonly times?: number
    }
  | { readonly kind: 'answered'; readonly atMs: number; readonly exchange: Exchange; readonly times?: number }

/** The events in the order of cause: a delivery stands where it began, and its answer where that came, after what came between. */
export function toTimeline(events: readonly ShownEvent[]): readonly TimelineEntry[] {
  const entries = events.flatMap((event) => (event.kind === 'sent' ? toEntries(event, events) : [event]))
  return entries.toSorted((a, b) => a.atMs - b.atMs || orderAtOnce(a) - orderAtOnce(b))
}

type SentEvent = Extract<ShownEvent, { readonly kind: 'sent' }>

function toEntries(
  { atMs, exchange, times }: SentEvent,
  events: readonly ShownEvent[],
): readonly TimelineEntry[] {
  const endMs = atMs + exchange.tookMs
  const hasAnswer = !events.some(
    (event) =>
      !(event.kind === 'sent' && event.exchange === exchange) && event.atMs >= atMs && event.atMs < endMs,
  )
  const shared = { exchange, ...(times !== undefined && { times }) }
  const sent = { kind: 'sent', atMs, hasAnswer, ...shared } as const
  return hasAnswer ? [sent] : [sent, { kind: 'answered', atMs: endMs, ...shared }]
}

/** What is sent comes before what follows from it in the same moment. */
function orderAtOnce({ kind }: TimelineEntry): number {
  return kind === 'world' ? 0 : kind === 'sent' ? 1 : kind === 'called' ? 2 : 3
}

/** Such as `10 × transactions successful, copy 1`. */
export function labelOf({ exchange, times }: Pick<SentEvent, 'exchange' | 'times'>): string {
  return times === undefined ? exchange.label : `${times} × ${exchange.label}`
}
