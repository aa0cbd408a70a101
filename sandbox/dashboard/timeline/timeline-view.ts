import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { timesOf } from '../data/job.ts'
import type { TimelineFeed } from '../data/timeline-feed.ts'
import { listJobs, listLines, type Line } from './lines.ts'
import { fitSpan, type TimeSpan } from './scale.ts'

/** How the timeline is looked at. It outlives the screen, so that whoever comes back finds it as it was. */
export interface TimelineView {
  readonly mode: Signal<'timeline' | 'inbox'>
  readonly filter: Signal<string>
  /** What was chosen by zooming; undefined for whatever the newest rows need. */
  readonly zoomed: Signal<TimeSpan | undefined>
  readonly span: ReadonlySignal<TimeSpan>
  readonly lines: ReadonlySignal<readonly Line[]>
  readonly jobIds: ReadonlySignal<readonly string[]>
  /** The row that the keys are at. */
  readonly cursor: Signal<Cursor | undefined>
}

export interface Cursor {
  /** A line's key, or a job's id in the inbox. */
  readonly key: string
  /** The delivery that it stands for. */
  readonly jobId: string | undefined
}

/** Nobody compares more than that at once. */
const FITTED_LINES = 40

export function createTimelineView(
  { data, version }: TimelineFeed,
  now: ReadonlySignal<number>,
): TimelineView {
  const mode = signal<'timeline' | 'inbox'>('timeline')
  const filter = signal('')
  const zoomed = signal<TimeSpan | undefined>(undefined)
  const lines = computed(() => {
    void version.value
    return mode.value === 'timeline' ? listLines(data.value, filter.value) : []
  })
  const jobIds = computed(() => {
    void version.value
    return mode.value === 'inbox' ? listJobs(data.value, filter.value) : []
  })
  const fitted = computed(() => fitLines(lines.value.slice(0, FITTED_LINES)))
  const span = computed(
    () => zoomed.value ?? fitted.value ?? { from: now.value - 60_000, to: now.value + 60_000 },
  )
  return { mode, filter, zoomed, span, lines, jobIds, cursor: signal<Cursor | undefined>(undefined) }
}

/** What these lines need; undefined if nothing happened in them. */
export function fitLines(lines: readonly Line[]): TimeSpan | undefined {
  return fitSpan(lines.flatMap((line) => (line.kind === 'object' ? line.row.jobs.flatMap(timesOf) : [])))
}
