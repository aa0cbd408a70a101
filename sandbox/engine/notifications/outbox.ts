import { LATEST_NOW, timestamp } from '../core/timestamp.ts'
import { objectIds, objectState } from '../../../spec/models.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { isBankAccount } from '../objects/accounts.ts'
import type { Entry, JobHead, ObjectHead, ObjectWrite, Write, Registration } from '../state/entries.ts'
import type { View } from '../state/view.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import { bankAccountBody, notificationBody } from './body.ts'
import { findNotifiedGenerations } from './triggers.ts'
import type { Trigger } from './unsubscribed-triggers.ts'

export interface OutboxContext {
  readonly view: View
  readonly readings: () => ReadingValues
  readonly translator: Translator
  readonly now: number
  /** Called with each change that the service reports, even if no receiver is registered for the object type. */
  readonly onTrigger?: (trigger: Trigger) => void
  readonly newId: () => string
}

/** Returns the entries of one transaction: its changes, and one job for each enabled registration of a changed object. Source: §6.1 */
export function toEntries(writes: readonly Write[], given: OutboxContext): Entry[] {
  const versions = new Map<string, Version>()
  let context = given
  return writes.flatMap((write): Entry[] => {
    // If an object changes more than once in one transaction, each further change gets a time one millisecond later.
    const earlier = write.kind === 'object' ? versions.get(versionKey(write)) : undefined
    if (earlier) context = { ...context, now: Math.max(context.now, Math.min(earlier.at + 1, LATEST_NOW)) }
    switch (write.kind) {
      case 'object':
        return objectEntries(write, versions, context)
      case 'deletion': {
        const { registration } = write
        const head = { kind: 'deletion', at: context.now, registration_id: registration.id } as const
        return [{ head, body: '' }]
      }
      case 'secret': {
        const { secret_key, set_at } = write
        return [{ head: { kind: 'secret', at: context.now, set_at }, body: secret_key }]
      }
      case 'registration':
      case 'readings':
      case 'payment':
      case 'next-outcome':
      case 'fault':
      case 'fault-end':
      case 'fault-use':
        return [{ head: { ...write, at: context.now }, body: '' }]
      case 'crafted': {
        const { crafted } = write
        return [{ head: { kind: 'crafted', at: context.now, id: crafted.id }, body: JSON.stringify(crafted) }]
      }
      default:
        return write satisfies never
    }
  })
}

interface Version {
  readonly revision: number
  readonly at: number
  readonly body: ObjectWrite['object']
}

const versionKey = ({ object_type, object }: ObjectWrite) =>
  `${object_type}/${objectIds(object_type, object)[0]}`

function objectEntries(write: ObjectWrite, versions: Map<string, Version>, context: OutboxContext): Entry[] {
  const { object_type, object: given, silent = false, owner } = write
  const { view, now } = context
  const [id = '', ...aliases] = objectIds(object_type, given)
  const key = versionKey(write)
  const earlier = versions.get(key)
  const object = earlier && 'updated_at' in given ? { ...given, updated_at: timestamp(now) } : given
  const stored: Omit<Version, 'at'> | undefined = earlier ?? view.object(object_type, id)
  const revision = (stored?.revision ?? 0) + 1
  versions.set(key, { revision, at: now, body: object })
  const json = JSON.stringify(object)
  const entry: Entry<ObjectHead> = {
    head: {
      kind: 'object',
      at: now,
      object_type,
      id,
      ...(aliases.length > 0 && { aliases }),
      ...(owner && { owner }),
      revision,
    },
    body: json,
  }
  if (silent) return [entry]
  const generations = findNotifiedGenerations(
    object_type,
    { before: stored?.body, after: object },
    context.readings(),
  )
  context.onTrigger?.({ object_type, generations })
  const registrations = generations.flatMap(
    (generation) => view.enabledRegistration(generation, object_type) ?? [],
  )
  const body =
    registrations.length === 0
      ? ''
      : notificationBody(object_type, object, { translator: context.translator, json })
  const about = { object_type, object_id: id, revision, state: objectState(object_type, object) }
  return [
    entry,
    ...registrations.map((registration) => jobEntry({ ...about, body }, registration, context)),
    ...bankAccountJobs(entry.head, { account: object, before: stored?.body }, context),
  ]
}

/**
 * Returns the job for a changed bank account. Only the document's earlier list of callbacks reports bank accounts, and never
 * their creation. Reading: callback-list
 */
function bankAccountJobs(
  { id, revision, owner }: ObjectHead,
  { account, before }: { readonly account: object; readonly before: object | undefined },
  context: OutboxContext,
): Entry[] {
  const { view, readings, translator } = context
  const registration = view.enabledRegistration('callbacks', 'bank_accounts')
  if (!registration || readings()['callback-list'] !== 'earlier' || !before || !isBankAccount(account))
    return []
  const body = bankAccountBody(account, owner ?? view.accountOwner(id), translator)
  return [
    jobEntry(
      { object_type: 'bank_accounts', object_id: id, revision, state: null, body },
      registration,
      context,
    ),
  ]
}

type JobParts = Pick<JobHead, 'object_type' | 'object_id' | 'revision' | 'state'> & { readonly body: string }

function jobEntry(
  { body, ...about }: JobParts,
  registration: Registration,
  { now, newId }: OutboxContext,
): Entry {
  const head: JobHead = {
    kind: 'job',
    at: now,
    id: newId(),
    generation: registration.generation,
    registration_id: registration.id,
    ...about,
    url: registration.url,
  }
  return { head, body }
}
