import type { DrawnJob } from '../data/job.ts'
import type { ObjectRow } from '../data/row-table.ts'
import type { TimeScale } from './scale.ts'

/** Something that is drawn of a row. */
export interface Mark {
  /** `waiting`: from the last attempt to the end of the retries. */
  readonly kind: 'delivered' | 'failed' | 'due' | 'waiting' | 'call'
  readonly x: number
  /** Where it ends, for what has a length. */
  readonly end: number
  /** The job that it belongs to; undefined for a call. */
  readonly jobId: string | undefined
  /** What it is, and when, for the pointer. */
  readonly title: string
}

/** How far marks that would lie on each other stand apart, and how far they are moved for that at most. */
const [APART, MOST_MOVED] = [11, 66]

/**
 * The marks of a row from the left to the right. Much happens at one instant, above all by a clock that is moved by hand: what
 * would lie on each other stands side by side, as long as it stays near its instant.
 */
export function findMarks({ jobs, calls }: ObjectRow, scale: TimeScale): Mark[] {
  const bars = jobs.flatMap((job) => waitingBar(job, scale))
  const dots = jobs.flatMap((job) => jobDots(job, scale)).toSorted((a, b) => a.x - b.x)
  const ticks = calls.map(({ at, operation, status }) => ({
    kind: 'call' as const,
    x: scale.x(at),
    end: scale.x(at),
    jobId: undefined,
    title: `${operation} ← ${status ?? 'no answer'} at ${instant(at)}`,
  }))
  return [...bars, ...ticks, ...spread(dots)].filter(
    ({ x, end }) => end >= -APART && x <= scale.width + APART,
  )
}

function jobDots({ summary, attempts, nextDueAt }: DrawnJob, scale: TimeScale): Mark[] {
  const jobId = summary.id
  const by = summary.generation === 'callbacks' ? ' by callback' : ''
  const state = `${summary.state === null ? '' : ` ${summary.state}`}${by}`
  const made = attempts.map(({ number, at, status, reason, manual }): Mark => {
    const which = `attempt ${number}${manual ? ' by hand' : ''}`
    const title = `${summary.object_type}${state}: ${which} ← ${status ?? reason} at ${instant(at)}`
    const kind = reason === null ? 'delivered' : 'failed'
    return { kind, x: scale.x(at), end: scale.x(at), jobId, title }
  })
  if (nextDueAt === null) return made
  const title = `${summary.object_type}${state}: attempt ${summary.attempts + 1} is due at ${instant(nextDueAt)}`
  return [...made, { kind: 'due', x: scale.x(nextDueAt), end: scale.x(nextDueAt), jobId, title }]
}

function waitingBar(
  { summary, createdAt, attempts, nextDueAt, windowEndsAt }: DrawnJob,
  scale: TimeScale,
): Mark[] {
  if (nextDueAt === null || windowEndsAt === null || attempts.length === 0) return []
  const title = `retries of ${summary.object_type} go on until ${instant(windowEndsAt)}`
  const [x, end] = [scale.x(attempts.at(0)?.at ?? createdAt), scale.x(windowEndsAt)]
  return [{ kind: 'waiting', x, end, jobId: summary.id, title }]
}

function spread(marks: readonly Mark[]): Mark[] {
  let last = -Infinity
  return marks.map((mark) => {
    const x = Math.min(Math.max(mark.x, last + APART), mark.x + MOST_MOVED)
    last = x
    return { ...mark, x, end: x }
  })
}

const instant = (time: number) => new Date(time).toISOString().replace('T', ' ').slice(0, 23)
