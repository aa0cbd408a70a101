import { duration } from '../../engine/core/short-text.ts'
import type { StoryEvent } from './story.ts'

export interface PlacedEvent extends StoryEvent {
  readonly column: number
}

export interface Gap {
  readonly column: number
  readonly label: string
  /** True if it is drawn shorter than its time. */
  readonly isCompressed: boolean
}

export interface EventAxis {
  readonly events: readonly PlacedEvent[]
  readonly gaps: readonly Gap[]
  /** The objects in order of their first events. */
  readonly lanes: readonly string[]
  readonly columns: number
}

/** From this gap on, the axis is compressed. */
const COMPRESSED_MS = 1_000

/**
 * Puts events in order, with labelled gaps instead of distances. Events of one instant share a column, unless
 * they concern one object. `now` labels the wait for a due attempt.
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
