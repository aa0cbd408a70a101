import { ApiError } from '../core/api-error.ts'
import type { JobRecord } from '../state/indexes.ts'
import { targetOf, type AttemptPorts } from './attempt.ts'

/** Only failed webhooks can be resent, to a registration that is there. Source: §8, §6.1 */
export function refuseResend(
  job: JobRecord,
  isUnderWay: boolean,
  ports: Pick<AttemptPorts, 'view' | 'readings'>,
): void {
  const because = reasonAgainst(job, isUnderWay, ports)
  if (because === undefined) return
  const [state, hint] = because
  throw new ApiError('conflict', { field: 'id', message: `Cannot resend job "${job.id}": ${state}`, hint })
}

function reasonAgainst(
  job: JobRecord,
  isUnderWay: boolean,
  ports: Pick<AttemptPorts, 'view' | 'readings'>,
): readonly [state: string, hint: string] | undefined {
  if (isUnderWay) return ['an attempt of it is due or under way', 'wait until it has ended']
  if (job.generation === 'callbacks')
    return ['it is a callback, and only webhooks are resent', 'craft a delivery with its body']
  if (job.status === 'success') return ['it was delivered', 'craft a delivery with its body to send it twice']
  if (job.status === 'pending') return ['it was not attempted yet', 'advance the clock to when it is due']
  if (targetOf(job, ports) === undefined)
    return [
      'its registration is disabled or gone',
      'enable or register it again; then new changes are notified',
    ]
  return undefined
}
