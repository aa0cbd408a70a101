import { formatMoney } from '../../../spec/money.ts'
import type { Payment } from '../../../spec/generated/control-types.ts'
import { shortId, toPrintable } from '../../engine/core/short-text.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Absent, PresentOnly } from '../parts/presence.tsx'
import { countText, formatMilliseconds, instantText, paymentName, timeText } from '../parts/names.ts'
import { useApp, useObject, useTimelineData } from '../parts/use-app.ts'
import { WhatIfButton } from '../parts/what-if-button.tsx'
import { EventTimeline } from './event-timeline.tsx'
import { listStoryEvents, type StoryEvent } from './story.ts'

export function PaymentDetails({ id }: { readonly id: string }) {
  const { perform } = useApp()
  const payment = useObject(() => perform('getPayment', { path: { id } }), ['payment', 'object'])
  if (!payment) return <Absent what="payment" value={payment} />
  return (
    <article class="details">
      <Heading {...payment} />
      <Events id={id} />
      <section>
        <h3>{countText(payment.objects.length, 'object')}</h3>
        <PaymentObjects objects={payment.objects} />
      </section>
    </article>
  )
}

function Heading({ id, kind, amount, currency, outcome, step, steps, next_due_at: dueAt }: Payment) {
  const { perform } = useApp()
  return (
    <>
      <header>
        <h2>
          {paymentName(kind)} <span class="money">{formatMoney(amount, currency)}</span>
        </h2>
        <p>
          {outcome}, step {step} of {steps}
          {dueAt !== null && <span class="due"> next step at {instantText(dueAt)}</span>}
        </p>
        <p class="mono dim">{id}</p>
      </header>
      <div class="actions">
        <PresentOnly>
          {step < steps && (
            <ActButton
              act={() => perform('takePaymentStep', { path: { id } })}
              done={() => 'Took the next step'}
            >
              Next step
            </ActButton>
          )}
          <WhatIfButton paymentId={id} />
        </PresentOnly>
      </div>
    </>
  )
}

function Events({ id }: { readonly id: string }) {
  const data = useTimelineData()
  const group = data.groups.find(id)
  const story = group ? listStoryEvents(group, data) : []
  if (story.length === 0) return <p class="dim">No receiver was notified of this payment.</p>
  return (
    <>
      <section>
        <h3>Timeline</h3>
        <EventTimeline story={story} />
      </section>
      <section>
        <h3>Messages</h3>
        <div class="sequence-diagram">
          <p class="ends" aria-hidden="true">
            <b>Service</b>
            <b>Your receiver</b>
          </p>
          <ol aria-label="Messages">
            {story.map((event) => (
              <Message key={event.id} {...event} />
            ))}
          </ol>
        </div>
      </section>
    </>
  )
}

function PaymentObjects({ objects }: Pick<Payment, 'objects'>) {
  const { link } = useApp()
  return (
    <ul class="facts">
      {objects.map(({ role, object_type: type, id, state }) => (
        <li key={`${role} ${id}`}>
          <span class="dim">{role.replaceAll('_', ' ')}</span>
          <a href={link({ screen: 'world', path: [type, id] })}>
            {type} <span class="mono">{toPrintable(shortId(id))}</span>
          </a>
          <span>{toPrintable(state ?? '')}</span>
        </li>
      ))}
    </ul>
  )
}

const LOOKS = { delivered: 'good', failed: 'bad', due: 'due', call: 'good', 'failed-call': 'bad' } as const

/** A message between the service and the receiver. */
function Message({ kind, title, result, at, tookMs, jobId }: StoryEvent) {
  const { link } = useApp()
  const isCall = jobId === undefined
  const text = toPrintable(title)
  return (
    <li class={isCall ? 'back' : kind}>
      <span class="mono dim">{timeText(at)}</span>
      <span class="arrow">
        <span class="hidden">{isCall ? 'The receiver calls' : 'The service sends'} </span>
        {isCall ? text : <a href={link({ screen: 'activity', path: [jobId] })}>{text}</a>}
      </span>
      <span class={LOOKS[kind]}>
        {toPrintable(result)}
        {tookMs !== null && <span class="dim"> {formatMilliseconds(tookMs)}</span>}
      </span>
    </li>
  )
}
