import { formatMoney } from '../../../spec/money.ts'
import type { JobDetail } from '../../../spec/generated/control-types.ts'
import { duration } from '../../engine/core/short-text.ts'
import { countText, formatMilliseconds, instantText, paymentName } from '../parts/names.ts'
import { Facts } from '../parts/table.tsx'
import { useApp, useTimelineData } from '../parts/use-app.ts'
import { exact } from '../parts/exact-text.tsx'

export function Summary(detail: JobDetail) {
  const { job, attempts } = detail
  const last = attempts.at(-1)
  const kind = job.generation === 'callbacks' ? 'callback' : 'webhook'
  return (
    <Facts
      facts={[
        ['What', <Subject {...job} />],
        [
          'Who',
          <>
            {kind} to <span class="mono">{exact(job.url)}</span>
          </>,
        ],
        ['Result', <Result {...detail} />],
        [
          'Attempts',
          <>
            {countText(attempts.length, 'attempt')}
            {job.next_due_at !== null && <NextAttempt dueAt={job.next_due_at} />}
          </>,
        ],
        [
          'To do',
          last?.reason != null &&
            endSentence(
              last.remedy ??
                (last.response
                  ? 'See the answer below'
                  : 'Move the clock to the next attempt, or resend the job'),
            ),
        ],
      ]}
    />
  )
}

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function Result({ job, attempts }: JobDetail) {
  const last = attempts.at(-1)
  if (!last) return <b class="due">Not sent yet</b>
  const { reason, status, timings } = last
  const end = job.next_due_at === null ? ', no more attempts' : ''
  return (
    <>
      {reason === null ? (
        <b class="good">Delivered, {status}</b>
      ) : (
        <b class="bad">
          Failed, {status ?? reason}
          {end}
        </b>
      )}
      {timings.total_ms !== null && <span class="dim"> after {formatMilliseconds(timings.total_ms)}</span>}
    </>
  )
}

function Subject({ object_type, object_id, payment_id }: JobDetail['job']) {
  const { link } = useApp()
  const payment = useTimelineData().payment(payment_id)
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
        {exact(object_id)}
      </a>
    </>
  )
}

function NextAttempt({ dueAt }: { readonly dueAt: string }) {
  const { clock, rewind } = useApp()
  const now = rewind.at.value ?? clock.now.value
  return (
    <span class="due">
      , next in {duration(Math.max(0, Date.parse(dueAt) - now))} at {instantText(dueAt)}
    </span>
  )
}
