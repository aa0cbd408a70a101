import type { ComponentChildren } from 'preact'
import { formatMoney } from '../../../spec/money.ts'
import type { JobDetail } from '../../../spec/generated/control-types.ts'
import { duration } from '../../engine/core/short-text.ts'
import { countText, instantText, paymentName } from '../parts/names.ts'
import { useApp } from '../parts/use-app.ts'
import { ExactText } from './exact-text.tsx'
import { formatMilliseconds } from './phases.ts'

export function Summary(detail: JobDetail) {
  const { job, attempts } = detail
  const last = attempts.at(-1)
  const { text, look } = resultOf(detail)
  return (
    <dl class="summary">
      <Fact name="What">
        <What {...job} />
      </Fact>
      <Fact name="Who">
        {job.generation === 'callbacks' ? 'callback' : 'webhook'} to{' '}
        <span class="mono">
          <ExactText text={job.url} />
        </span>
      </Fact>
      <Fact name="Result">
        <b class={look}>{text}</b>
        {last?.timings.total_ms != null && (
          <span class="dim"> after {formatMilliseconds(last.timings.total_ms)}</span>
        )}
      </Fact>
      <Fact name="Attempts">
        <Attempts {...detail} />
      </Fact>
      {last?.reason != null && (
        <Fact name="To do">
          {last.remedy ?? 'See the answer below'}
          {/[.!?]$/.test(last.remedy ?? '') ? '' : '.'}
        </Fact>
      )}
    </dl>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ComponentChildren
}

function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function What({ object_type, object_id, payment_id }: JobDetail['job']) {
  const { link, timeline } = useApp()
  const payment = timeline.payment(payment_id ?? '')
  return (
    <>
      {payment && (
        <>
          <a href={link({ screen: 'payments', path: [payment.id] })}>
            {paymentName(payment.kind)} {formatMoney(payment.amount, payment.currency)}
          </a>
          ,{' '}
        </>
      )}
      <a href={link({ screen: 'world', path: [object_type, object_id] })} class="mono">
        <ExactText text={object_id} />
      </a>
    </>
  )
}

function resultOf({ job, attempts }: JobDetail): { readonly text: string; readonly look: string } {
  const last = attempts.at(-1)
  if (!last) return { text: 'Not sent yet', look: 'due' }
  if (last.reason === null) return { text: `Delivered, ${last.status}`, look: 'good' }
  const follows = job.next_due_at === null ? ', no attempt follows' : ''
  return { text: `Failed, ${last.status ?? last.reason}${follows}`, look: 'bad' }
}

function Attempts({ job, attempts }: JobDetail) {
  const { clock, rewind } = useApp()
  const now = rewind.at.value ?? clock.now.value
  const dueAt = job.next_due_at
  return (
    <>
      {countText(attempts.length, 'attempt')}
      {dueAt !== null && (
        <span class="due">
          , next in {duration(Math.max(0, Date.parse(dueAt) - now))} at {instantText(dueAt)}
        </span>
      )}
    </>
  )
}
