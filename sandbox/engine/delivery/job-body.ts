import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { FaultState } from '../state/fault.ts'
import { notificationBody } from '../notifications/body.ts'
import { bankAccountOf } from '../objects/bank-accounts.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { View } from '../state/view.ts'
import type { Translator } from '../../../spec/vocabulary.ts'

interface BodyPorts {
  readonly view: View
  readonly readings: ReadingValues
  readonly translator: Translator
}

/** What the next attempt of a job sends: the bytes of the trigger, unless a reading or a fault says otherwise. Reading: retry-body */
export function bodyOf(job: JobRecord, faults: readonly FaultState[], ports: BodyPorts): string {
  const stale = faults.find(({ kind }) => kind === 'stale-body')
  if (stale) return showAt(job, job.revision - (stale.settings.revisions_back ?? 1), ports)
  const isRetry = job.attempts.length > 0
  return isRetry && ports.readings['retry-body'] === 'current'
    ? showAt(job, Number.POSITIVE_INFINITY, ports)
    : ports.view.jobBody(job)
}

/** The body of a notification of the object as it was at this revision, the last one if there is none so late. */
function showAt(job: JobRecord, revision: number, ports: BodyPorts): string {
  const { object_type, object_id } = job
  const { view, translator } = ports
  if (object_type !== 'bank_accounts')
    return notificationBody(object_type, objectAt(object_type, job, { revision, view }), translator)
  const account = objectAt('accounts', job, { revision, view })
  return JSON.stringify(
    translator.outward({ bank_accounts: bankAccountOf(account, view.ownerOf(object_id)) }),
  )
}

function objectAt<Type extends NotifiedType>(
  type: Type,
  { id, object_id }: JobRecord,
  { revision, view }: { readonly revision: number; readonly view: View },
): ObjectByType[Type] {
  const latest = view.object(type, object_id)?.revision ?? 0
  const object = view.earlierObject(type, object_id, Math.max(0, latest - revision))
  if (!object) throw new RangeError(`Cannot send job "${id}": ${type} "${object_id}" is gone`)
  return object.body
}
