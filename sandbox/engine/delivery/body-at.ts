import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import { bankAccountBody, notificationBody } from '../notifications/body.ts'
import type { JobRecord } from '../state/job.ts'
import { readIfWhole } from '../state/storage-error.ts'
import type { View } from '../state/view.ts'

interface BodyPorts {
  readonly view: View
  readonly translator: Translator
}

/** Returns the stored body. If the body is damaged, creates it from the object. Undefined if the object is also damaged. */
export function shownBody(job: JobRecord, ports: BodyPorts): string | undefined {
  return ports.view.jobBodyIfWhole(job) ?? readIfWhole(() => bodyAt(job, job.revision, ports))
}

/** Returns the body of a notification about the object in its current state. Undefined if the object is deleted or damaged. */
export function currentBody(job: JobRecord, ports: BodyPorts): string | undefined {
  const type = job.object_type === 'bank_accounts' ? 'accounts' : job.object_type
  const isThere = ports.view.object(type, job.object_id) !== undefined
  return isThere ? readIfWhole(() => bodyAt(job, Number.POSITIVE_INFINITY, ports)) : undefined
}

/** Returns the notification body for a revision of the object. If there is no such revision, uses the last revision. */
export function bodyAt(job: JobRecord, revision: number, { view, translator }: BodyPorts): string {
  const { object_type, object_id } = job
  if (object_type !== 'bank_accounts')
    return notificationBody(object_type, objectAt(object_type, job, { revision, view }), { translator })
  const account = objectAt('accounts', job, { revision, view })
  return bankAccountBody(account, view.accountOwner(object_id), translator)
}

function objectAt<Type extends NotifiedType>(
  type: Type,
  { id, object_id }: JobRecord,
  { revision, view }: { readonly revision: number; readonly view: View },
): ObjectByType[Type] {
  const latest = view.object(type, object_id)?.revision ?? 0
  const object = view.earlierObject(type, object_id, Math.max(0, latest - revision))
  if (!object) throw new RangeError(`Cannot send job "${id}": ${type} "${object_id}" no longer exists`)
  return object.body
}
