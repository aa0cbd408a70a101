import type { ComponentChildren } from 'preact'
import { formatMoney } from '../../../spec/money.ts'
import type { CraftedDelivery } from '../../../spec/generated/control-types.ts'
import { duration, shortId, toPrintable } from '../../engine/core/short-text.ts'
import { findCallsBack } from '../data/calls-back.ts'
import type { Group, DrawnJob, TimelineData } from '../data/timeline-data.ts'
import { countText, formatMilliseconds, paymentName, timeText } from '../parts/names.ts'
import { useApp, useTimelineData } from '../parts/use-app.ts'
import { WhatIfButton } from '../parts/what-if-button.tsx'
import type { Route } from '../state/route.ts'
import { isAccepted, type Line } from './lines.ts'

interface RowProps {
  readonly line: Line
  readonly mark: string
  readonly onChoose: () => void
}

interface RowContent {
  readonly title: ComponentChildren
  readonly cells: readonly ComponentChildren[]
}

const CELLS = ['result', 'attempts', 'latency', 'calls', 'time']

export function routeOf(line: Line): Route {
  const screens = { payment: 'payments', job: 'activity', crafted: 'deliveries' } as const
  return { screen: screens[line.kind], path: [line.key] }
}

export function ActivityRow({ line, mark, onChoose }: RowProps) {
  const { go, link } = useApp()
  const content = useContent(line)
  if (!content) return null
  const name = line.kind === 'job' && line.isInner ? 'job inner' : line.kind
  return (
    <div
      role="row"
      class={`row ${name}${mark}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        onChoose()
        event.preventDefault()
        go(routeOf(line))
      }}
    >
      <span role="cell" class="name">
        <a href={link(routeOf(line))} tabIndex={-1}>
          {content.title}
        </a>
      </span>
      {content.cells.map((cell, index) => (
        <span key={CELLS[index]} role="cell" class={CELLS[index]}>
          {cell}
        </span>
      ))}
    </div>
  )
}

function useContent(line: Line): RowContent | undefined {
  const data = useTimelineData()
  if (line.kind === 'payment') return describePayment(line.group, data)
  if (line.kind === 'crafted') return describeCrafted(line.delivery)
  const job = data.job(line.key)
  return job && describeJob(job, data)
}

function describePayment(group: Group, data: TimelineData): RowContent {
  const { key, paymentId, calls } = group
  const payment = data.payment(key)
  const jobs = data.jobsOf(group)
  const attempts = jobs.reduce((sum, { summary }) => sum + summary.attempts, 0)
  const title = payment ? (
    <>
      <b>{paymentName(payment.kind)}</b>{' '}
      <span class="money">{formatMoney(payment.amount, payment.currency)}</span>{' '}
      <span class="dim">
        {payment.outcome}
        {payment.step < payment.steps && `, step ${payment.step} of ${payment.steps}`}
      </span>
    </>
  ) : (
    <b>Payment</b>
  )
  return {
    title,
    cells: [
      <GroupResult jobs={jobs} />,
      countText(attempts, 'attempt'),
      <WhatIfButton paymentId={paymentId} tabIndex={-1} />,
      calls.length > 0 && countText(calls.length, 'call'),
      jobs[0] && timeText(jobs[0].createdAt),
    ],
  }
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

function describeJob(job: DrawnJob, data: TimelineData): RowContent {
  const { object_type, object_id, state, generation, attempts } = job.summary
  const tookMs = job.attempts.at(-1)?.took_ms
  const calls = findCallsBack(job, data)
  const status = (calls.find((call) => !isAccepted(call.status)) ?? calls.at(-1))?.status ?? null
  return {
    title: (
      <>
        <span>{object_type}</span> <b>{toPrintable(state ?? '')}</b>{' '}
        {generation === 'callbacks' && <span class="dim">callback </span>}
        <span class="mono dim" title={toPrintable(object_id)}>
          {toPrintable(shortId(object_id))}
        </span>
      </>
    ),
    cells: [
      <JobResult job={job} />,
      attempts > 1 && countText(attempts, 'attempt'),
      tookMs != null && formatMilliseconds(tookMs),
      calls.length > 0 && (
        <span class={isAccepted(status) ? 'good' : 'bad'}>
          ← {status ?? 'cut'}
          {calls.length > 1 && ` ×${calls.length}`}
        </span>
      ),
      timeText(job.createdAt),
    ],
  }
}

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

function describeCrafted({ url, at, exchanges }: CraftedDelivery): RowContent {
  const last = exchanges.at(-1)
  const look = isAccepted(last?.status ?? null) ? 'good' : 'bad'
  return {
    title: (
      <>
        <span>Sent by hand</span> <span class="mono dim">{toPrintable(url)}</span>
      </>
    ),
    cells: [
      <span class={`badge ${look}`}>{last?.status ?? last?.reason ?? 'no answer'}</span>,
      exchanges.length > 1 && `${exchanges.length} times`,
      last && formatMilliseconds(last.timings.total_ms ?? 0),
      null,
      timeText(at),
    ],
  }
}
