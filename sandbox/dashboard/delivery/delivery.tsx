import { useState } from 'preact/hooks'
import type { Attempt, JobDetail } from '../../../spec/generated/control-types.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { Absent, ifThere } from '../parts/if-there.tsx'
import { PresentOnly } from '../parts/present-only.tsx'
import { useApp } from '../parts/use-app.ts'
import { useListing } from '../parts/use-listing.ts'
import { WhatIfButton } from '../parts/what-if-button.tsx'
import { formatWorld } from '../state/world-in-address.ts'
import { AttemptPart } from './attempt-part.tsx'
import { CopyButtons } from './copy-buttons.tsx'
import { EditForm } from './edit-form.tsx'
import { ExactText } from './exact-text.tsx'
import { ShowDiff } from './show-diff.tsx'

/** One delivery: what was sent, what was answered, and what comes next. */
export function Delivery({ id }: { readonly id: string }) {
  const { perform } = useApp()
  const [isEditing, setEditing] = useState(false)
  const detail = useListing(
    () => ifThere(perform('getJob', { path: { id } })),
    ['attempt', 'job_called_off', 'world'],
    id,
  )
  if (detail === undefined) return <p class="dim">Reading the delivery</p>
  if (detail === null) return <Absent what="delivery" />
  const { job, attempts, corrupt } = detail
  const last = attempts.at(-1)
  return (
    <article class="delivery">
      <Heading {...detail} />
      {corrupt && (
        <p class="reason">
          What the store has of its body is not what was written: it is not sent. <code>doctor --store</code>{' '}
          says what else is damaged.
        </p>
      )}
      <Actions {...detail} onEdit={() => setEditing(!isEditing)} isEditing={isEditing} />
      {isEditing && last && (
        <PresentOnly>
          <EditForm job={job} sent={last.request.body} isSigned={isSigned(last)} />
        </PresentOnly>
      )}
      {last === undefined && <p class="dim">Nothing was sent yet</p>}
      {last && <AttemptPart key={last.number} attempt={last} later={undefined} />}
      {last && <ShowDiff key="diff" jobId={job.id} sent={last.request.body} />}
      {attempts
        .slice(0, -1)
        .toReversed()
        .map((attempt) => (
          <AttemptPart key={attempt.number} attempt={attempt} later={attempts[attempt.number]} />
        ))}
    </article>
  )
}

function Heading({ job }: JobDetail) {
  return (
    <header>
      <h2>
        {job.object_type} <ExactText text={job.state ?? ''} />
      </h2>
      <p class="mono">
        <ExactText text={job.object_id} />
      </p>
      <p class="dim">
        {job.generation === 'callbacks' ? 'callback' : 'webhook'} to{' '}
        <span class="mono">
          <ExactText text={job.url} />
        </span>
      </p>
      {job.next_due_at !== null && (
        <p class="due">next attempt at {job.next_due_at.replace('T', ' ').replace('Z', '')}</p>
      )}
    </header>
  )
}

interface ActionsProps extends JobDetail {
  readonly isEditing: boolean
  readonly onEdit: () => void
}

function Actions({ job, attempts, isEditing, onEdit }: ActionsProps) {
  const { perform, run, ports, link } = useApp()
  const last = attempts.at(-1)
  if (!last) return null
  const copies = () => perform('getJobCopies', { path: { id: job.id } })
  return (
    <div class="actions">
      <PresentOnly>
        {job.status !== 'success' && (
          <button
            type="button"
            onClick={() =>
              void run(
                () => perform('resendJob', { path: { id: job.id } }),
                () => 'Sent once more',
              )
            }
          >
            Resend
          </button>
        )}
        <button type="button" aria-expanded={isEditing} onClick={onEdit}>
          Edit and deliver
        </button>
        <WhatIfButton paymentId={job.payment_id} />
      </PresentOnly>
      <CopyButtons
        texts={[
          [
            'link',
            () => `${ports.origin}${formatWorld(ports.world)}${link({ screen: 'jobs', path: [job.id] })}`,
          ],
          ['curl', async () => (await copies()).curl],
          ['hookbench', async () => (await copies()).command],
          ['vitest', async () => (await copies()).test],
        ]}
      />
    </div>
  )
}

function isSigned({ request }: Attempt): boolean {
  return request.headers.some(([name]) => name?.toLowerCase() === SIGNATURE_HEADER.toLowerCase())
}
