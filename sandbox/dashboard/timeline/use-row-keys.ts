import { useLayoutEffect } from 'preact/hooks'
import { useApp, useKeys } from '../parts/use-app.ts'
import type { Line } from './lines.ts'
import type { Cursor, TimelineView } from './timeline-view.ts'

interface RowKeysOptions {
  readonly view: TimelineView
  /** The delivery that is open beside the rows. */
  readonly jobId: string | undefined
  readonly scrollTo: (row: number) => void
}

/** Moves through the rows by keys; what is open beside them goes with them. */
export function useRowKeys({ view, jobId, scrollTo }: RowKeysOptions): void {
  const { go, route, selection, timeline } = useApp()
  const { cursor } = view
  const screen = route.value.screen === 'jobs' ? 'jobs' : 'timeline'
  const open = (id: string | undefined) => id !== undefined && go({ screen, path: [id] })
  const rows = (): readonly (Line | string)[] =>
    view.mode.value === 'timeline' ? view.lines.value : view.jobIds.value

  function move(by: 1 | -1): void {
    const next = findNext(rows(), cursor.value?.key, by)
    if (!next) return
    cursor.value = next.cursor
    scrollTo(next.index)
    if (jobId !== undefined) open(next.cursor.jobId)
  }

  /** Among the jobs of one object. */
  function step(by: 1 | -1): void {
    const { data } = timeline
    const job = data.value.job(jobId ?? '')
    const row = job && data.value.row(job.summary.object_type, job.summary.object_id)
    if (row) open(row.jobs[row.jobs.indexOf(job) + by]?.summary.id)
  }

  useKeys([
    { key: 'j', about: 'next row', run: () => move(1) },
    { key: 'k', about: 'row before', run: () => move(-1) },
    { key: 'ArrowDown', about: 'next row', run: () => move(1) },
    { key: 'ArrowUp', about: 'row before', run: () => move(-1) },
    { key: 'ArrowRight', about: 'next delivery of the object', run: () => step(1) },
    { key: 'ArrowLeft', about: 'delivery before', run: () => step(-1) },
    { key: 'Enter', about: 'open the delivery', run: () => open(cursor.value?.jobId) },
  ])
  const chosen = jobId ?? cursor.value?.jobId
  const paymentId = timeline.data.value.job(chosen ?? '')?.summary.payment_id ?? undefined
  useLayoutEffect(() => {
    selection.value = { jobId: chosen, paymentId }
    // Elsewhere nobody sees what would be meant.
    return () => (selection.value = {})
  }, [chosen, paymentId])
}

/** The next row that stands for a delivery; the heading of a payment does not. */
function findNext(
  rows: readonly (Line | string)[],
  key: string | undefined,
  by: 1 | -1,
): { readonly index: number; readonly cursor: Cursor } | undefined {
  const from = key === undefined ? -1 : rows.findIndex((row) => toCursor(row)?.key === key)
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const cursor = toCursor(rows[index])
    if (cursor) return { index, cursor }
  }
  return undefined
}

function toCursor(row: Line | string | undefined): Cursor | undefined {
  if (typeof row === 'string') return { key: row, jobId: row }
  return row?.kind === 'object' ? { key: row.key, jobId: row.row.jobs.at(-1)?.summary.id } : undefined
}
