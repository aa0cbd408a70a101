import { isTemporary, StorageError } from '../state/storage-error.ts'
import { isInterrupted, type AttemptRecords, type AttemptRecordsPorts } from './attempt-records.ts'
import { makeAttempt, targetUrl, type AttemptPorts, type Plan } from './attempt.ts'
import type { AttemptResult, Delivery } from './delivery.ts'

export interface DeliverPorts extends AttemptRecordsPorts, AttemptPorts {
  readonly records: AttemptRecords
}

/**
 * Makes the attempt that is due, or records the one before if that is not on record yet. Calls back when it was sent, and what came of
 * it is being put on record; not where nothing was sent. Never rejects.
 */
export async function deliver(
  delivery: Delivery,
  onSent: () => void,
  ports: DeliverPorts,
): Promise<AttemptResult> {
  try {
    // The store cannot write now, so no due job is read or signed.
    return ports.store.problem ? 'later' : await attempt(delivery, onSent, ports)
  } catch (error) {
    // What to send could not be read, and may be later.
    if (error instanceof StorageError && isTemporary(error)) return 'later'
    ports.onError(delivery.job, error)
    return 'none'
  }
}

async function attempt(
  { job: { id }, faults, manual }: Delivery,
  onSent: () => void,
  ports: DeliverPorts,
): Promise<AttemptResult> {
  const { store, clock, records } = ports
  const before = records.unrecorded(id)
  if (before && !(await records.end(before))) return 'later'
  if (before && !isInterrupted(before)) return 'recorded'
  // As it stands: a store that failed has gone back to what was durable.
  const job = store.job(id)
  const dueAt = manual ? clock.now() : (job?.next_due_at ?? Number.POSITIVE_INFINITY)
  if (!job || dueAt > clock.now()) return 'none'
  const url = targetUrl(job, ports)
  // Decided when it is due: disabled and enabled again before then loses nothing. Source: §6.1.5. Reading: pending-retries
  if (url === undefined) return manual || (await records.callOff(job)) ? 'none' : 'later'
  let hasBegun = false
  const begin: Plan['begin'] = (entry) => {
    hasBegun = true
    return records.begin(job, entry)
  }
  const ended = await makeAttempt(job, { url, dueAt, faults, manual, begin }, ports)
  if (!ended) return 'none'
  // What could not start did not happen: it is sent again.
  if (ended.head.reason === 'out_of_resources') return 'later'
  const recorded = records.end(ended)
  // What ended without a beginning on record, as what a fault drops, waited for nothing: the next one does.
  if (hasBegun) onSent()
  return (await recorded) ? 'recorded' : 'later'
}
