import { useState } from 'preact/hooks'
import type { Attempt, JobDetail } from '../../../spec/generated/control-types.ts'
import { isSigned } from '../../../spec/signature-header.ts'
import { diffJson } from '../../engine/core/json-diff.ts'
import { findCallsBack } from '../data/calls-back.ts'
import { Absent, PresentOnly } from '../parts/presence.tsx'
import { formatResult, instantText, operationName } from '../parts/names.ts'
import { Table } from '../parts/table.tsx'
import { useApp, useObject, useTimelineData } from '../parts/use-app.ts'
import { DeliveryActions } from './actions.tsx'
import { EditForm } from './edit-form.tsx'
import { exact, JsonView, RawBytes } from '../parts/exact-text.tsx'
import { Answer, CraftedExchanges, HeaderTable } from './exchange-part.tsx'
import { Summary } from './summary.tsx'

export function DeliveryDetails({ id }: { readonly id: string }) {
  const { perform } = useApp()
  const [isEditing, setEditing] = useState(false)
  const detail = useObject(() => perform('getJob', { path: { id } }), ['attempt', 'job_called_off'])
  if (!detail) return <Absent what="delivery" value={detail} />
  const { job, attempts, corrupt } = detail
  const last = attempts.at(-1)
  return (
    <article class="details">
      <header>
        <h2>
          {job.object_type} {exact(job.state ?? '')}
        </h2>
      </header>
      <Summary {...detail} />
      {corrupt && (
        <p class="reason">
          The stored body is damaged, so the notification is not sent. <code>doctor --store</code> lists all
          damage.
        </p>
      )}
      <DeliveryActions {...detail} onEdit={() => setEditing(!isEditing)} isEditing={isEditing} />
      {isEditing && last && (
        <PresentOnly>
          <EditForm job={job} sent={last.request.body} isSigned={isSigned(last.request.headers)} />
        </PresentOnly>
      )}
      {last && <Body {...detail} sent={last.request.body} />}
      <CallsBack jobId={job.id} />
      {attempts.toReversed().map((attempt) => (
        <AttemptPart key={attempt.number} attempt={attempt} later={attempts[attempt.number]} />
      ))}
      {last && <ShowDiff key="diff" jobId={job.id} sent={last.request.body} />}
    </article>
  )
}

function Body({ job, sent }: JobDetail & { readonly sent: string }) {
  const { perform } = useApp()
  const data = useTimelineData()
  const group = data.groups.groupOf(job.object_type, job.object_id)
  const jobs = (group ? data.jobsOf(group) : [])
    .map(({ summary }) => summary)
    .filter((each) => each.object_id === job.object_id && each.registration_id === job.registration_id)
  const before = jobs[jobs.findIndex(({ id }) => id === job.id) - 1]
  const earlier = useObject(
    async () => (before === undefined ? null : perform('getJob', { path: { id: before.id } })),
    [],
    before?.id,
  )
  const earlierBody = earlier?.attempts.at(-1)?.request.body
  return (
    <section>
      <h3>Body</h3>
      <p class="dim">
        {before && earlierBody !== undefined
          ? `Compared with the previous notification (${before.state ?? 'without a state'})`
          : 'The first notification of this object'}
      </p>
      <JsonView text={sent} before={earlierBody} label="Body that was sent" />
    </section>
  )
}

function CallsBack({ jobId }: { readonly jobId: string }) {
  const data = useTimelineData()
  const job = data.job(jobId)
  if (!job || job.attempts.length === 0) return null
  const calls = findCallsBack(job, data)
  return (
    <section>
      <h3>What followed</h3>
      {calls.length === 0 && <p class="dim">Your receiver did not call the service about this object.</p>}
      <ul class="facts">
        {calls.map(({ id, at, operation, status, faults }) => (
          <li key={id}>
            <span class="mono dim">{instantText(at)}</span>
            <span>Your receiver called: {operationName(operation)}</span>
            <b class={status !== null && status < 400 ? 'good' : 'bad'}>{formatResult(status, faults)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}

function AttemptPart({ attempt, later }: { readonly attempt: Attempt; readonly later: Attempt | undefined }) {
  const { number, status, reason, started_at, request, manual, faults, others, url } = attempt
  const { link, route } = useApp()
  const then = link({ ...route.value, at: Date.parse(attempt.ended_at) })
  const notes = [...(manual ? ['by hand'] : []), ...faults.map(({ kind }) => `fault ${kind}`)]
  return (
    <section>
      <h3 class={reason === null ? 'good' : 'bad'}>
        Attempt {number} ← {status ?? reason}
      </h3>
      <p class="dim">
        <a href={then} title="Show the world at that time">
          {instantText(started_at)}
        </a>
        {notes.length > 0 && `, ${notes.join(', ')}`}
        {later && later.url !== url && <>, to {exact(url)}</>}
      </p>
      <Answer {...attempt} to={`attempt ${number}`} />
      {others.map((other, index) => (
        <div key={index} class="beside">
          <p>
            Sent at the same time: <b>{other.status ?? other.reason}</b>
          </p>
          <Answer {...other} to={`attempt ${number}, sent at the same time (${index + 1})`} />
        </div>
      ))}
      <HeaderTable title="Request headers" headers={request.headers} />
      {later?.request.body === request.body ? (
        <p class="dim">Sent the same bytes as attempt {later.number}</p>
      ) : (
        <RawBytes text={request.body} label={`Raw bytes of attempt ${number}`} />
      )}
    </section>
  )
}

function ShowDiff({ jobId, sent }: { readonly jobId: string; readonly sent: string }) {
  const { perform, rewind } = useApp()
  const then = rewind.isPast.value ? 'then' : 'now'
  const current = useObject(() => perform('getCurrentBody', { path: { id: jobId } }), ['object'])
  if (!current) return null
  const changes = current.body === null ? [] : diffJson(sent, current.body)
  return (
    <section aria-label="Compared with now">
      <h3>The sent body and the object {then}</h3>
      {changes === undefined || changes.length === 0 ? (
        <p class="dim">
          {current.body === null
            ? 'The object no longer exists, so no comparison is possible'
            : changes
              ? 'The object has not changed since this notification'
              : 'The body is not JSON, so it has no fields to compare'}
        </p>
      ) : (
        <Table class="changes" heads={['Field', 'Sent', then]}>
          {changes.map(({ path, before, after }) => (
            <tr key={path} class="mono">
              <th scope="row">{exact(path === '' ? 'the whole' : path)}</th>
              <td>{before === undefined ? <span class="dim">nothing</span> : <del>{before}</del>}</td>
              <td>{after === undefined ? <span class="dim">nothing</span> : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

export function Crafted({ id }: { readonly id: string }) {
  const { perform } = useApp()
  const delivery = useObject(() => perform('getDelivery', { path: { id } }))
  if (!delivery) return <Absent what="delivery" value={delivery} />
  const { url, at, request } = delivery
  return (
    <article class="details">
      <header>
        <h2>Sent by hand</h2>
        <p class="mono">{exact(url)}</p>
        <p class="dim">{instantText(at)}</p>
      </header>
      <section>
        <h3>Body</h3>
        <JsonView text={request.body} label="Body that was sent" />
      </section>
      <CraftedExchanges {...delivery} />
      <HeaderTable title="Request headers" headers={request.headers} />
      <RawBytes text={request.body} label="Raw bytes" />
    </article>
  )
}
