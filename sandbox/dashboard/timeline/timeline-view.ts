import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { timesOf } from '../data/job.ts'
import type { App } from '../state/app.ts'
import { createFilter, listJobs, listLines, type Line } from './lines.ts'
import { fitSpan, type TimeSpan } from './scale.ts'
import { createSearch } from './search.ts'

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

export function createTimelineView({
  timeline,
  clock,
  rewind,
  ports,
}: Pick<App, 'timeline' | 'clock' | 'rewind' | 'ports'>): TimelineView {
  const { data, version } = timeline
  const mode = signal<'timeline' | 'inbox'>('timeline')
  const filter = signal('')
  const zoomed = signal<TimeSpan | undefined>(undefined)
  const wanted = computed(() => createFilter(filter.value))
  // What happens to a job changes which rows there are only where rows are searched.
  const shape = computed(() => (wanted.value ? version.value : shapeOf(version.value)))
  const shapeOf = (_: number) => `${data.value.shape} ${data.value.jobIds.length}`
  const isShown = (each: 'timeline' | 'inbox') => {
    void shape.value
    return mode.value === each
  }
  const lines = createSearch(() => {
    const [{ value: present }, { value: isWanted }] = [data, wanted]
    return {
      length: isShown('timeline') ? present.groups.length : 0,
      list: (start, end) => listLines(present, { start, end }, isWanted),
    }
  }, ports)
  const jobIds = createSearch(() => {
    const [{ value: present }, { value: isWanted }] = [data, wanted]
    return {
      length: isShown('inbox') ? present.jobIds.length : 0,
      list: (start, end) => listJobs(present, { start, end }, isWanted),
    }
  }, ports)
  let kept: TimeSpan | undefined
  const fitted = computed(() => {
    void version.value
    // In the past it stays, so that only what had not happened goes out of sight.
    if (rewind.at.value === undefined || !kept) kept = fitLines(lines.value.slice(0, FITTED_LINES))
    return kept
  })
  const around = computed(() => {
    const now = rewind.at.value ?? clock.now.value
    return { from: now - 60_000, to: now + 60_000 }
  })
  const span = computed(() => zoomed.value ?? fitted.value ?? around.value)
  return { mode, filter, zoomed, span, lines, jobIds, cursor: signal<Cursor | undefined>(undefined) }
}

/** What these lines need; undefined if nothing happened in them. */
export function fitLines(lines: readonly Line[]): TimeSpan | undefined {
  return fitSpan(lines.flatMap((line) => (line.kind === 'object' ? line.row.jobs.flatMap(timesOf) : [])))
}
