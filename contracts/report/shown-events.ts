import type { Exchange } from '../finding.ts'
import type { CheckResult, RunEvent } from '../run/run-result.ts'
import { selectExcerpt, withoutRepeatedReads, type ShownEvent } from './excerpt.ts'

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
