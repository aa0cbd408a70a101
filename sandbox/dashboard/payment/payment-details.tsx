import { formatMoney } from '../../../spec/money.ts'
import type { Payment } from '../../../spec/generated/control-types.ts'
import { shortId, toPrintable } from '../../engine/core/short-text.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Absent, PresentOnly } from '../parts/presence.tsx'
import { countText, formatMilliseconds, instantText, paymentName, timeText } from '../parts/names.ts'
import { useApp, useObject, useTimelineData } from '../parts/use-app.ts'
import { WhatIfButton } from '../parts/what-if-button.tsx'
import { listStoryEvents, layOutEvents, type StoryEvent, type PlacedEvent } from './story.ts'

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

/** The symbols of the events, which differ in shape so that users need not distinguish colours. */
const SIGNS = { delivered: '●', failed: '✕', due: '○', call: '←', 'failed-call': '←' } as const

function EventTimeline({ story }: { readonly story: readonly StoryEvent[] }) {
  const { clock, rewind } = useApp()
  const { lanes, events, gaps, columns } = layOutEvents(story, rewind.at.value ?? clock.now.value)
  return (
    <div
      class="event-timeline"
      tabIndex={0}
      role="group"
      aria-label="Timeline"
      style={{ '--columns': `${columns}`, '--lanes': `${lanes.length}` }}
    >
      {gaps.map(({ column, label, isCompressed }) => (
        <span
          key={column}
          class={isCompressed ? 'gap compressed' : 'gap'}
          style={{ gridColumn: `${column + 2}` }}
        >
          {label}
        </span>
      ))}
      {lanes.map((lane, index) => (
        <LaneName key={lane} lane={lane} row={`${index + 2}`} />
      ))}
      {events.map(({ id, kind, row, column, since }) => {
        const place = { gridRow: `${row + 2}`, gridColumn: `${(since ?? 0) + 2} / ${column + 3}` }
        return since !== undefined && <span key={id} class={`retries ${kind}`} style={place} />
      })}
      {events.map((event) => (
        <Mark key={event.id} {...event} />
      ))}
    </div>
  )
}

function LaneName({ lane, row }: { readonly lane: string; readonly row: string }) {
  const [type = '', id = ''] = lane.split('/')
  return (
    <span class="lane" style={{ gridRow: row }}>
      <span>{type}</span>
      <span class="mono dim">{toPrintable(shortId(id))}</span>
    </span>
  )
}

function Mark({ kind, title, result, at, jobId, tookMs, row, column }: PlacedEvent) {
  const { link } = useApp()
  const took = tookMs === null ? '' : ` in ${formatMilliseconds(tookMs)}`
  const about = `${toPrintable(title)}: ${toPrintable(result)}${took}, ${instantText(at)}`
  // Removes the object type from the title, because the lane already shows the type.
  const name = jobId === undefined ? title : title.replace(/^\S+ /, '')
  const content = (
    <>
      <span>{toPrintable(name)}</span>
      <b aria-hidden="true">{SIGNS[kind]}</b>
      <span class="result">{toPrintable(result)}</span>
    </>
  )
  const style = { gridRow: `${row + 2}`, gridColumn: `${column + 2}` }
  const attributes = { class: `mark ${kind}`, title: about, style }
  if (jobId === undefined) return <span {...attributes}>{content}</span>
  return (
    <a {...attributes} aria-label={about} href={link({ screen: 'activity', path: [jobId] })}>
      {content}
    </a>
  )
}
