import { duration } from '../../engine/core/short-text.ts'
import type { StoryEvent } from './story.ts'

/** An event at its place in the order. */
export interface PlacedEvent extends StoryEvent {
  readonly column: number
}

/** The time between two columns. */
export interface Gap {
  /** The column after it. */
  readonly column: number
  readonly label: string
  /** True if it is much longer than it is drawn. */
  readonly isCompressed: boolean
}

export interface EventAxis {
  readonly events: readonly PlacedEvent[]
  readonly gaps: readonly Gap[]
  /** The objects in the order of their first events. */
  readonly lanes: readonly string[]
  readonly columns: number
}

/** From this gap on, the axis shows that it is not to scale. */
const COMPRESSED_MS = 1_000

/**
 * Puts events in order, with the time between them as a label instead of a distance. Events of one instant share a column, unless they
 * are about one object. `now` labels the wait for an attempt that is due.
 */
export function layOutEvents(story: readonly StoryEvent[], now: number): EventAxis {
  const events: PlacedEvent[] = []
  const gaps: Gap[] = []
  const lanes = [...new Set(story.map(({ lane }) => lane))]
  let [column, at] = [-1, -Infinity]
  let used = new Set<string>()
  for (const event of story) {
    if (event.at !== at || used.has(event.lane)) {
      column++
      used = new Set()
      if (column > 0 && event.at > at) gaps.push(toGap(event, { column, since: at, now }))
      at = event.at
    }
    used.add(event.lane)
    events.push({ ...event, column })
  }
  return { events, gaps, lanes, columns: column + 1 }
}

interface GapPlace {
  readonly column: number
  readonly since: number
  readonly now: number
}

function toGap({ kind, at }: StoryEvent, { column, since, now }: GapPlace): Gap {
  const isNext = kind === 'due' && since <= now
  const label = isNext ? `next attempt in ${duration(Math.max(0, at - now))}` : duration(at - since)
  return { column, label, isCompressed: at - since >= COMPRESSED_MS }
}
