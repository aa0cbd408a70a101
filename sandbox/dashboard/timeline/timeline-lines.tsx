import { formatMoney } from '../../../spec/money.ts'
import { shortId, toPrintable } from '../../engine/core/short-text.ts'
import { useApp } from '../parts/use-app.ts'
import { WhatIfButton } from '../parts/what-if-button.tsx'
import type { Line } from './lines.ts'
import { MarkShape } from './mark-shape.tsx'
import { findMarks } from './row-marks.ts'
import type { TimeScale } from './scale.ts'

interface LineProps {
  readonly line: Line
  readonly scale: TimeScale
  /** The lines of the axis, as a path through a row. */
  readonly grid: string
  readonly isCursor: boolean
  readonly jobId: string | undefined
  readonly onChoose: (jobId: string | undefined) => void
}

/** A line of the timeline: its name at the left, and what happened at its right. */
export function TimelineLine(props: LineProps) {
  const { line, isCursor, onChoose } = props
  if (line.kind === 'payment') return <PaymentLine paymentId={line.paymentId} />
  const { objectType, objectId, jobs } = line.row
  const newest = jobs.at(-1)?.summary
  return (
    <div
      class={`line${line.isInner ? ' inner' : ''}${isCursor ? ' cursor' : ''}`}
      onClick={() => onChoose(newest?.id)}
    >
      <span class="name" title={`${objectType} ${toPrintable(objectId)}`}>
        <span class="type">{objectType}</span> <span class="mono dim">{toPrintable(shortId(objectId))}</span>
        <span class="state">{toPrintable(newest?.state ?? '')}</span>
      </span>
      <LineMarks {...props} line={line} />
    </div>
  )
}

function LineMarks({
  line,
  scale,
  grid,
  jobId,
  onChoose,
}: LineProps & { readonly line: Line & { kind: 'object' } }) {
  return (
    <svg class="marks" width={scale.width} height="26">
      <path class="grid" d={grid} />
      {findMarks(line.row, scale).map((mark, index) => (
        <g
          key={index}
          onClick={(event) => {
            if (mark.jobId === undefined) return
            event.stopPropagation()
            onChoose(mark.jobId)
          }}
        >
          <MarkShape {...mark} isChosen={mark.jobId !== undefined && mark.jobId === jobId} />
        </g>
      ))}
    </svg>
  )
}

function PaymentLine({ paymentId }: { readonly paymentId: string }) {
  const payment = useApp().timeline.payment(paymentId)
  return (
    <div class="line payment">
      <span class="name">
        <span class="type">{payment ? payment.kind : 'payment'}</span>{' '}
        <span class="mono dim">{toPrintable(shortId(paymentId))}</span>
        {payment && (
          <span class="state">
            {formatMoney(payment.amount, payment.currency)} → {payment.outcome}
            {payment.step < payment.steps && ` (${payment.step} of ${payment.steps})`}
          </span>
        )}
      </span>
      <WhatIfButton paymentId={paymentId} tabIndex={-1} />
    </div>
  )
}

/** A job as a line of the inbox. */
export function InboxLine({
  id,
  isCursor,
  isChosen,
}: {
  readonly id: string
  readonly isCursor: boolean
  readonly isChosen: boolean
}) {
  const { timeline, go } = useApp()
  const job = timeline.data.value.job(id)
  if (!job) return null
  const { object_type, object_id, state, status, last, attempts, created_at } = job.summary
  const mark = status === 'success' ? 'good' : job.attempts.length === 0 ? 'due' : 'bad'
  return (
    <div
      class={`line mail${isCursor ? ' cursor' : ''}${isChosen ? ' chosen' : ''}`}
      onClick={() => go({ screen: 'timeline', path: [id] })}
    >
      <span class={`outcome ${mark}`}>{last ?? 'due'}</span>
      <span class="name">
        <span class="type">{object_type}</span>{' '}
        <span class="mono dim">{toPrintable(shortId(object_id))}</span>
        <span class="state">{toPrintable(state ?? '')}</span>
      </span>
      <span class="dim count">{attempts > 1 ? `${attempts} attempts` : ''}</span>
      <span class="mono dim when">{created_at.slice(11, 23)}</span>
    </div>
  )
}
