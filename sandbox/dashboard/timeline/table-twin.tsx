import { toPrintable } from '../../engine/core/short-text.ts'
import type { DrawnAttempt, DrawnJob } from '../data/job.ts'
import { useApp } from '../parts/use-app.ts'
import type { Line } from './lines.ts'
import type { TimelineView } from './timeline-view.ts'
import type { VisibleRows } from '../parts/virtual-rows.ts'

interface TableTwinProps {
  readonly view: TimelineView
  readonly visible: VisibleRows
}

/** What is drawn, as a table for those who do not see it. It has what is in sight, as the drawing has. */
export function TableTwin({ view, visible: { start, end } }: TableTwinProps) {
  const { data } = useApp().timeline
  const jobs =
    view.mode.value === 'timeline'
      ? view.lines.value.slice(start, end).flatMap(jobsOf)
      : view.jobIds.value.slice(start, end).flatMap((id) => data.value.job(id) ?? [])
  return (
    <table class="hidden" aria-label="Deliveries in sight" aria-rowcount={data.value.jobIds.length + 1}>
      <thead>
        <tr>
          <th scope="col">Object</th>
          <th scope="col">State</th>
          <th scope="col">Attempts</th>
          <th scope="col">Next attempt</th>
        </tr>
      </thead>
      <tbody>
        {jobs.slice(0, MOST_ROWS).map((job) => (
          <TwinRow key={job.summary.id} {...job} />
        ))}
      </tbody>
    </table>
  )
}

/** An object may have any number of jobs, and the page is to stay small. */
const [MOST_JOBS, MOST_ROWS] = [5, 80]

const jobsOf = (line: Line): readonly DrawnJob[] =>
  line.kind === 'object' ? line.row.jobs.slice(-MOST_JOBS) : []

function TwinRow({ summary, attempts }: DrawnJob) {
  const { link } = useApp()
  return (
    <tr>
      <th scope="row">
        <a href={link({ screen: 'jobs', path: [summary.id] })} tabIndex={-1}>
          {summary.object_type} {toPrintable(summary.object_id)}
        </a>
      </th>
      <td>{toPrintable(summary.state ?? '')}</td>
      <td>{attempts.map(attemptText).join('; ')}</td>
      <td>{summary.next_due_at ?? 'none'}</td>
    </tr>
  )
}

function attemptText({ status, reason, at }: DrawnAttempt): string {
  const end = reason === null ? `delivered, ${status}` : `failed, ${reason}`
  return `${end} at ${new Date(at).toISOString()}`
}
