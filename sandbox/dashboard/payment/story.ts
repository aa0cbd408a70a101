import { duration } from '../../engine/core/short-text.ts'
import {
  objectKey,
  type DrawnCall,
  type DrawnJob,
  type Group,
  type TimelineData,
} from '../data/timeline-data.ts'
import { formatResult, operationName } from '../parts/names.ts'

export interface StoryEvent {
  readonly id: string
  readonly at: number
  readonly kind: 'delivered' | 'failed' | 'due' | 'call' | 'failed-call'
  readonly lane: string
  /** The id of the job. Undefined for a call back. */
  readonly jobId: string | undefined
  /** The state in the notification, or the name of the called operation. */
  readonly title: string
  readonly result: string
  /** The duration of the exchange in real milliseconds. Null if the duration is not known. */
  readonly tookMs: number | null
}

export function listStoryEvents(group: Group, data: TimelineData): readonly StoryEvent[] {
  // If times are equal, notifications come before calls back, because the sort is stable.
  return [...data.jobsOf(group).flatMap(eventsOfJob), ...group.calls.map(toCallEvent)].toSorted(
    (a, b) => a.at - b.at,
  )
}

function eventsOfJob({ summary, attempts, nextDueAt }: DrawnJob): StoryEvent[] {
  const { id, object_type, object_id, state, generation } = summary
  const about = {
    lane: objectKey(object_type, object_id),
    jobId: id,
    title: `${object_type} ${state ?? ''}${generation === 'callbacks' ? ' callback' : ''}`.trim(),
  }
  const made = attempts.map(({ number, at, status, reason, faults, took_ms }): StoryEvent => ({
    ...about,
    id: `${id} ${number}`,
    at,
    kind: reason === null ? 'delivered' : 'failed',
    result: formatResult(status ?? reason, faults),
    tookMs: took_ms,
  }))
  if (nextDueAt === null) return made
  return [...made, { ...about, id: `${id} due`, at: nextDueAt, kind: 'due', result: 'due', tookMs: null }]
}

function toCallEvent({ id, at, object_type, object_id, operation, status, faults }: DrawnCall): StoryEvent {
  return {
    id: `call ${id}`,
    at,
    kind: status !== null && status < 400 ? 'call' : 'failed-call',
    lane: objectKey(object_type, object_id),
    jobId: undefined,
    title: operationName(operation),
    result: formatResult(status, faults),
    tookMs: null,
  }
}

export interface PlacedEvent extends StoryEvent {
  readonly row: number
  readonly column: number
  /** The column of the previous attempt of the same job. Undefined for a first attempt and for a call back. */
  readonly since: number | undefined
}

/** The minimum length, in milliseconds, of a gap that the timeline compresses. */
const COMPRESSED_MS = 1_000

/** Places events in lanes and columns. Simultaneous events of different objects share a column. Lanes are sorted by first event. */
export function layOutEvents(story: readonly StoryEvent[], now: number) {
  const lanes = [...new Set(story.map(({ lane }) => lane))]
  const gaps: { readonly column: number; readonly label: string; readonly isCompressed: boolean }[] = []
  const lastColumns = new Map<string, number>()
  let [column, shownAt] = [-1, -Infinity]
  let used = new Set<string>()
  const events = story.map((event): PlacedEvent => {
    const { at, lane, kind, jobId } = event
    if (at !== shownAt || used.has(lane)) {
      column++
      used = new Set()
      if (column > 0 && at > shownAt) {
        const isNext = kind === 'due' && shownAt <= now
        const label = isNext ? `next attempt in ${duration(Math.max(0, at - now))}` : duration(at - shownAt)
        gaps.push({ column, label, isCompressed: at - shownAt >= COMPRESSED_MS })
      }
      shownAt = at
    }
    used.add(lane)
    const since = lastColumns.get(jobId ?? '')
    if (jobId !== undefined) lastColumns.set(jobId, column)
    return { ...event, row: lanes.indexOf(lane), column, since }
  })
  return { events, gaps, lanes, columns: column + 1 }
}
