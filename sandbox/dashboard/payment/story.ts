import {
  type Group,
  objectKey,
  type DrawnCall,
  type DrawnJob,
  type TimelineData,
} from '../data/timeline-data.ts'
import { operationName } from '../parts/names.ts'

/** An exchange between the service and the receiver, or a due attempt. */
export interface StoryEvent {
  readonly id: string
  readonly at: number
  readonly kind: 'delivered' | 'failed' | 'due' | 'call' | 'failed-call'
  readonly lane: string
  /** Undefined for a call back. */
  readonly jobId: string | undefined
  /** The sent state, or the called operation. */
  readonly title: string
  /** Such as `204`, `timeout` or `503 by fault`. */
  readonly result: string
  /** Real milliseconds. Null if not measured. */
  readonly tookMs: number | null
}

/** Lists the attempts and calls back of a group in order. */
export function tellStory(group: Group, data: TimelineData): readonly StoryEvent[] {
  const jobs = group.jobIds.flatMap((id) => data.job(id) ?? [])
  // At one instant, the service sends before the receiver calls back.
  return [...jobs.flatMap(eventsOfJob), ...group.calls.map(toCallEvent)].toSorted((a, b) => a.at - b.at)
}

function eventsOfJob({ summary, attempts, nextDueAt }: DrawnJob): StoryEvent[] {
  const { id, object_type, object_id, state, generation } = summary
  const about = {
    lane: objectKey(object_type, object_id),
    jobId: id,
    title: `${object_type} ${state ?? ''}${generation === 'callbacks' ? ' callback' : ''}`.trim(),
  }
  const made = attempts.map(({ number, at, status, reason, faults, took_ms }): StoryEvent => {
    const byFault = faults.length === 0 ? '' : ` by fault ${faults.join(', ')}`
    return {
      ...about,
      id: `${id} ${number}`,
      at,
      kind: reason === null ? 'delivered' : 'failed',
      result: `${status ?? reason}${byFault}`,
      tookMs: took_ms,
    }
  })
  if (nextDueAt === null) return made
  const due = { ...about, id: `${id} due`, at: nextDueAt, kind: 'due' as const, result: 'due', tookMs: null }
  return [...made, due]
}

function toCallEvent({ id, at, object_type, object_id, operation, status, faults }: DrawnCall): StoryEvent {
  const isAnswered = status !== null && status < 400
  return {
    id: `call ${id}`,
    at,
    kind: isAnswered ? 'call' : 'failed-call',
    lane: objectKey(object_type, object_id),
    jobId: undefined,
    title: operationName(operation),
    result: `${status ?? 'cut'}${faults.length === 0 ? '' : ` by fault ${faults.join(', ')}`}`,
    tookMs: null,
  }
}
