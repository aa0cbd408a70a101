import type { RunEvent } from '../run/run-result.ts'
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
    }
  | { readonly kind: 'answered'; readonly atMs: number; readonly exchange: Exchange }

/** The events in the order of cause: a delivery stands where it began, and its answer where that came, after what came between. */
export function toTimeline(events: readonly RunEvent[]): readonly TimelineEntry[] {
  const entries = events.flatMap((event) => (event.kind === 'sent' ? toEntries(event, events) : [event]))
  return entries.toSorted((a, b) => a.atMs - b.atMs || orderAtOnce(a) - orderAtOnce(b))
}

type SentEvent = Extract<RunEvent, { readonly kind: 'sent' }>

function toEntries({ atMs, exchange }: SentEvent, events: readonly RunEvent[]): readonly TimelineEntry[] {
  const endMs = atMs + exchange.tookMs
  const hasAnswer = !events.some(
    (event) =>
      !(event.kind === 'sent' && event.exchange === exchange) && event.atMs >= atMs && event.atMs < endMs,
  )
  const sent = { kind: 'sent', atMs, exchange, hasAnswer } as const
  return hasAnswer ? [sent] : [sent, { kind: 'answered', atMs: endMs, exchange }]
}

/** What is sent comes before what follows from it in the same moment. */
function orderAtOnce({ kind }: TimelineEntry): number {
  return kind === 'world' ? 0 : kind === 'sent' ? 1 : kind === 'called' ? 2 : 3
}
