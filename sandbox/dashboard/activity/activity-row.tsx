import type { ComponentChildren } from 'preact'
import { formatMoney } from '../../../spec/money.ts'
import type { CraftedDelivery } from '../../../spec/generated/control-types.ts'
import { toPrintable } from '../../engine/core/short-text.ts'
import { duration, shortId } from '../../engine/core/short-text.ts'
import type { Group } from '../data/groups.ts'
import type { DrawnJob } from '../data/job.ts'
import { formatMilliseconds } from '../delivery/phases.ts'
import { countText, paymentName, timeText } from '../parts/names.ts'
import { useApp } from '../parts/use-app.ts'
import { WhatIfButton } from '../parts/what-if-button.tsx'
import { isAccepted } from './activity-view.ts'
import type { Line } from './lines.ts'
import { routeOf } from './use-row-keys.ts'

interface RowProps {
  readonly line: Line
  readonly isOpen: boolean
  readonly isCursor: boolean
  readonly onChoose: () => void
}

/** A row of the list. A click anywhere in it opens its details. */
export function ActivityRow(props: RowProps) {
  const { line } = props
  const { timeline } = useApp()
  // Reads the version, because an event can change a job without a change of the lines.
  void timeline.version.value
  if (line.kind === 'payment') return <PaymentRow {...props} group={line.group} />
  if (line.kind === 'crafted') return <CraftedRow {...props} delivery={line.delivery} />
  const job = timeline.data.value.job(line.key)
  return job ? <JobRow {...props} job={job} isInner={line.isInner} /> : null
}

interface CellsProps extends RowProps {
  readonly class: string
  readonly title: ComponentChildren
  readonly cells: readonly ComponentChildren[]
}

const CELLS = ['result', 'attempts', 'latency', 'calls', 'time']

function Cells({ line, isOpen, isCursor, onChoose, title, cells, ...props }: CellsProps) {
  const { go, link } = useApp()
  const marks = [isCursor ? ' cursor' : '', isOpen ? ' open' : ''].join('')
  return (
    <div
      role="row"
      class={`row ${props.class}${marks}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        onChoose()
        event.preventDefault()
        go(routeOf(line))
      }}
    >
      <span role="cell" class="name">
        <a href={link(routeOf(line))} tabIndex={-1}>
          {title}
        </a>
      </span>
      {cells.map((cell, index) => (
        <span key={CELLS[index]} role="cell" class={CELLS[index]}>
          {cell}
        </span>
      ))}
    </div>
  )
}

function PaymentRow({ group, ...props }: RowProps & { readonly group: Group }) {
  const { timeline } = useApp()
  void timeline.version.value
  const data = timeline.data.value
  const payment = data.payment(group.key)
  const jobs = group.jobIds.flatMap((id) => data.job(id) ?? [])
  const { calls } = group
  const unfinished = payment && payment.step < payment.steps
  return (
    <Cells
      {...props}
      class="payment"
      title={
        <>
          <b>{payment ? paymentName(payment.kind) : 'Payment'}</b>
          {payment && (
            <>
              {' '}
              <span class="money">{formatMoney(payment.amount, payment.currency)}</span>{' '}
              <span class="dim">
                {payment.outcome}
                {unfinished && `, step ${payment.step} of ${payment.steps}`}
              </span>
            </>
          )}
        </>
      }
      cells={[
        <GroupResult jobs={jobs} />,
        countText(
          jobs.reduce((sum, { summary }) => sum + summary.attempts, 0),
          'attempt',
        ),
        <WhatIfButton paymentId={group.paymentId} tabIndex={-1} />,
        calls.length > 0 && countText(calls.length, 'call'),
        jobs[0] && timeText(jobs[0].createdAt),
      ]}
    />
  )
}

function GroupResult({ jobs }: { readonly jobs: readonly DrawnJob[] }) {
  const delivered = jobs.filter(({ summary }) => summary.status === 'success').length
  const failed = jobs.filter(({ summary }) => summary.status !== 'success' && summary.attempts > 0).length
  const look = failed > 0 ? 'bad' : delivered === jobs.length ? 'good' : 'due'
  return (
    <span class={`badge ${look}`}>
      {failed > 0 ? `${failed} of ${jobs.length} failed` : `${delivered} of ${jobs.length} delivered`}
    </span>
  )
}

function JobRow({
  job,
  isInner,
  ...props
}: RowProps & { readonly job: DrawnJob; readonly isInner: boolean }) {
  const { timeline } = useApp()
  void timeline.version.value
  const { object_type, object_id, state, generation, attempts } = job.summary
  const last = job.attempts.at(-1)
  const calls = (timeline.data.value.groupOf(object_type, object_id)?.calls ?? []).filter(
    (call) => call.object_type === object_type && call.object_id === object_id,
  )
  return (
    <Cells
      {...props}
      class={isInner ? 'job inner' : 'job'}
      title={
        <>
          <span>{object_type}</span> <b>{toPrintable(state ?? '')}</b>{' '}
          <span class="mono dim" title={toPrintable(object_id)}>
            {toPrintable(shortId(object_id))}
          </span>
          {generation === 'callbacks' && <span class="dim"> callback</span>}
        </>
      }
      cells={[
        <JobResult job={job} />,
        attempts > 1 && countText(attempts, 'attempt'),
        last?.took_ms != null && formatMilliseconds(last.took_ms),
        calls.length > 0 && <CallBack status={calls.at(-1)?.status ?? null} count={calls.length} />,
        timeText(job.createdAt),
      ]}
    />
  )
}

/** Shows the state of a delivery, such as `503, retry in 5 min`. */
function JobResult({ job: { summary, attempts, nextDueAt } }: { readonly job: DrawnJob }) {
  const { clock } = useApp()
  const { status, last } = summary
  const faults = attempts.at(-1)?.faults ?? []
  if (status === 'success')
    return (
      <span class={`badge ${summary.attempts > 1 ? 'due' : 'good'}`}>
        {last} {summary.attempts > 1 ? `after ${countText(summary.attempts - 1, 'failure')}` : 'delivered'}
      </span>
    )
  const wait = nextDueAt === null ? 0 : Math.max(0, nextDueAt - clock.now.value)
  if (last === null)
    return <span class="badge due">{wait > 1_000 ? `due in ${duration(wait)}` : 'sending'}</span>
  const follows = nextDueAt === null ? 'gave up' : `retry in ${duration(wait)}`
  return (
    <span class="badge bad">
      {last.replace(/^http_|_by_fault$/, '').replaceAll('_', ' ')}
      {faults.length > 0 && last !== 'dropped_by_fault' && ' by fault'}, {follows}
    </span>
  )
}

function CallBack({ status, count }: { readonly status: number | null; readonly count: number }) {
  return (
    <span class={isAccepted(status) ? 'good' : 'bad'}>
      ← {status ?? 'cut'}
      {count > 1 && ` ×${count}`}
    </span>
  )
}

function CraftedRow({ delivery, ...props }: RowProps & { readonly delivery: CraftedDelivery }) {
  const { url, at, exchanges } = delivery
  const last = exchanges.at(-1)
  const look = isAccepted(last?.status ?? null) ? 'good' : 'bad'
  return (
    <Cells
      {...props}
      class="job crafted"
      title={
        <>
          <span>Sent by hand</span> <span class="mono dim">{toPrintable(url)}</span>
        </>
      }
      cells={[
        <span class={`badge ${look}`}>{last?.status ?? last?.reason ?? 'no answer'}</span>,
        exchanges.length > 1 && `${exchanges.length} times`,
        last && formatMilliseconds(last.timings.total_ms ?? 0),
        null,
        timeText(at),
      ]}
    />
  )
}
