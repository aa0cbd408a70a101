import { formatMoney } from '../../../spec/money.ts'
import type { JobDetail } from '../../../spec/generated/control-types.ts'
import { duration } from '../../engine/core/short-text.ts'
import { countText, formatMilliseconds, instantText, paymentName } from '../parts/names.ts'
import { Facts } from '../parts/table.tsx'
import { useApp } from '../parts/use-app.ts'
import { ExactText } from './exact-text.tsx'

export function Summary({ job, attempts }: JobDetail) {
  const last = attempts.at(-1)
  const tookMs = last?.timings.total_ms
  return (
    <Facts
      facts={[
        ['What', <Subject {...job} />],
        [
          'Who',
          <>
            {job.generation === 'callbacks' ? 'callback' : 'webhook'} to{' '}
            <span class="mono">
              <ExactText text={job.url} />
            </span>
          </>,
        ],
        [
          'Result',
          <>
            {!last ? (
              <b class="due">Not sent yet</b>
            ) : last.reason === null ? (
              <b class="good">Delivered, {last.status}</b>
            ) : (
              <b class="bad">
                Failed, {last.status ?? last.reason}
                {job.next_due_at === null && ', no attempt follows'}
              </b>
            )}
            {tookMs != null && <span class="dim"> after {formatMilliseconds(tookMs)}</span>}
          </>,
        ],
        [
          'Attempts',
          <>
            {countText(attempts.length, 'attempt')}
            {job.next_due_at !== null && <NextAttempt dueAt={job.next_due_at} />}
          </>,
        ],
        ...(last?.reason == null
          ? []
          : [['To do', endSentence(last.remedy ?? 'See the answer below')] as const]),
      ]}
    />
  )
}

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function Subject({ object_type, object_id, payment_id }: JobDetail['job']) {
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

function NextAttempt({ dueAt }: { readonly dueAt: string }) {
  const { clock, rewind } = useApp()
  const now = rewind.at.value ?? clock.now.value
  return (
    <span class="due">
      , next in {duration(Math.max(0, Date.parse(dueAt) - now))} at {instantText(dueAt)}
    </span>
  )
}
