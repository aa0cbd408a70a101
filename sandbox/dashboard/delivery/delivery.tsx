import type { Attempt } from '../../../spec/generated/control-types.ts'
import { toPrintable } from '../../engine/core/printable.ts'
import { useApp } from '../parts/use-app.ts'
import { useListing } from '../parts/use-listing.ts'

/** One delivery: what was sent, what was answered, and what comes next. */
export function Delivery({ id }: { readonly id: string }) {
  const { perform, run } = useApp()
  const detail = useListing(
    { load: () => perform('getJob', { path: { id } }), types: ['attempt', 'job_called_off', 'world'] },
    id,
  )
  if (!detail) return <p class="dim">Reading the delivery</p>
  const { job, attempts } = detail
  return (
    <article class="delivery">
      <h2>
        {job.object_type} {toPrintable(job.state ?? '')}
      </h2>
      <p class="mono">{toPrintable(job.object_id)}</p>
      <p class="dim">
        {job.generation === 'callbacks' ? 'callback' : 'webhook'} to{' '}
        <span class="mono">{toPrintable(job.url)}</span>
      </p>
      <p>
        <button
          type="button"
          onClick={() =>
            void run(
              () => perform('resendJob', { path: { id } }),
              () => 'Sent once more',
            )
          }
        >
          Resend
        </button>
        {job.next_due_at !== null && <span class="due"> next attempt at {job.next_due_at}</span>}
      </p>
      {attempts.toReversed().map((attempt) => (
        <AttemptPart key={attempt.number} {...attempt} />
      ))}
    </article>
  )
}

function AttemptPart({ number, status, reason, message, started_at, request, response }: Attempt) {
  return (
    <section>
      <h3 class={reason === null ? 'good' : 'bad'}>
        Attempt {number} ← {status ?? reason}
      </h3>
      <p class="dim">
        {started_at} {reason !== null && toPrintable(message)}
      </p>
      <pre tabIndex={0} aria-label={`Body sent by attempt ${number}`}>
        {request.body}
      </pre>
      {response && response.body !== '' && (
        <pre tabIndex={0} aria-label={`Body answered to attempt ${number}`}>
          {response.body}
        </pre>
      )}
    </section>
  )
}
