import type { JobDetail } from '../../../spec/generated/control-types.ts'
import { isSigned } from '../../../spec/signature-header.ts'
import { ActButton, CopyButtons } from '../parts/act-button.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import { useApp } from '../parts/use-app.ts'
import { WhatIfButton } from '../parts/what-if-button.tsx'
import type { App } from '../state/app.ts'
import { formatWorldAddress } from '../state/route.ts'
import { formatCurl, formatDeliver, formatVitest } from './copies.ts'

/** Sends a failed job again, as the service does. If the job has already succeeded, sends its body in a manual delivery. */
export async function resendDelivery({ perform }: App, jobId: string): Promise<string> {
  const { job, attempts } = await perform('getJob', { path: { id: jobId } })
  const sent = attempts.at(-1)?.request
  if (job.status !== 'success' || !sent) {
    await perform('resendJob', { path: { id: jobId } })
    return 'Resent the job'
  }
  const { exchanges } = await perform('craftDelivery', {
    body: { registration: job.registration_id, raw: sent.body, signed: isSigned(sent.headers) },
  })
  return `Delivered again: ${exchanges[0]?.status ?? exchanges[0]?.reason ?? 'no answer'}`
}

interface ActionsProps extends JobDetail {
  readonly isEditing: boolean
  readonly onEdit: () => void
}

export function DeliveryActions({ job, attempts, isEditing, onEdit }: ActionsProps) {
  const app = useApp()
  const { ports, link, target } = app
  const last = attempts.at(-1)
  if (!last) return null
  const sent = { url: last.url, headers: last.request.headers, body: last.request.body }
  const order = { job: job.id, signed: isSigned(last.request.headers) }
  const about = `${job.object_type} ${job.object_id}, ${job.state ?? 'changed'}`
  const page = () =>
    `${ports.origin}${formatWorldAddress(ports.world)}${link({ screen: 'jobs', path: [job.id] })}`
  return (
    <div class="actions">
      <PresentOnly>
        <ActButton act={() => resendDelivery(app, job.id)} done={(text) => text}>
          {job.status === 'success' ? 'Deliver again' : 'Resend'}
        </ActButton>
        <button type="button" aria-expanded={isEditing} onClick={onEdit}>
          Edit and deliver
        </button>
        <WhatIfButton paymentId={job.payment_id} />
      </PresentOnly>
      <CopyButtons
        texts={[
          ['link', page],
          ['curl', () => formatCurl(sent, target.value.data)],
          ['hookbench', () => formatDeliver(order, target.value)],
          ['vitest', () => formatVitest(sent, about, target.value.data)],
        ]}
      />
    </div>
  )
}
