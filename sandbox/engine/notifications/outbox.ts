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
export function toEntries(writes: readonly Write[], context: OutboxContext): Entry[] {
  const versions = new Map<string, Version>()
  const entries: Entry[] = []
  let { now } = context
  for (const write of writes) {
    if (write.kind !== 'object') {
      entries.push(otherEntry(write, now))
      continue
    }
    const ids = objectIds(write.object_type, write.object)
    // If an object changes more than once in one transaction, each further change gets a time one millisecond later.
    const key = writes.length > 1 ? `${write.object_type}/${ids[0]}` : ''
    const earlier = versions.get(key)
    if (earlier) now = Math.max(now, Math.min(earlier.at + 1, LATEST_NOW))
    const change = readChange(write, ids, { earlier, now, view: context.view })
    versions.set(key, change)
    entries.push(...objectEntries(write, change, now === context.now ? context : { ...context, now }))
  }
  return entries
}

function otherEntry(write: Exclude<Write, ObjectWrite>, at: number): Entry {
  switch (write.kind) {
    case 'deletion':
      return { head: { kind: 'deletion', at, registration_id: write.registration.id }, body: '' }
    case 'secret':
      return { head: { kind: 'secret', at, set_at: write.set_at }, body: write.secret_key }
    case 'registration':
    case 'readings':
    case 'payment':
    case 'next-outcome':
    case 'fault':
    case 'fault-end':
    case 'fault-use':
      return { head: { ...write, at }, body: '' }
    case 'crafted':
      return { head: { kind: 'crafted', at, id: write.crafted.id }, body: JSON.stringify(write.crafted) }
    default:
      return write satisfies never
  }
}

interface Version {
  readonly revision: number
  readonly at: number
  readonly body: ObjectWrite['object']
}

interface ObjectChange extends Version {
  readonly ids: readonly string[]
  readonly before: ObjectWrite['object'] | undefined
}

/** `earlier` is the version that an earlier write of the same transaction created. */
function readChange(
  { object_type, object }: ObjectWrite,
  ids: readonly string[],
  { earlier, view, now }: Pick<OutboxContext, 'view' | 'now'> & { readonly earlier: Version | undefined },
): ObjectChange {
  const body = earlier && 'updated_at' in object ? { ...object, updated_at: timestamp(now) } : object
  const stored: Omit<Version, 'at'> | undefined = earlier ?? view.object(object_type, ids[0] ?? '')
  return { ids, before: stored?.body, body, revision: (stored?.revision ?? 0) + 1, at: now }
}

function objectEntries(
  { object_type, silent = false, owner }: ObjectWrite,
  { ids: [id = '', ...aliases], before, body: object, revision }: ObjectChange,
  context: OutboxContext,
): Entry[] {
  const json = JSON.stringify(object)
  const head: ObjectHead = {
    kind: 'object',
    at: context.now,
    object_type,
    id,
    ...(aliases.length > 0 && { aliases }),
    ...(owner && { owner }),
    revision,
  }
  const entries: Entry[] = [{ head, body: json }]
  if (silent) return entries
  const { view, readings, translator, onTrigger } = context
  const generations = findNotifiedGenerations(object_type, { before, after: object }, readings())
  onTrigger?.({ object_type, generations })
  let body: string | undefined
  for (const generation of generations) {
    const registration = view.enabledRegistration(generation, object_type)
    if (!registration) continue
    body ??= notificationBody(object_type, object, { translator, json })
    const state = objectState(object_type, object)
    entries.push(jobEntry({ object_type, object_id: id, revision, state, body }, registration, context))
  }
  entries.push(...bankAccountJobs(head, { account: object, before }, context))
  return entries
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
  if (!before || !isBankAccount(account) || readings()['callback-list'] !== 'earlier') return []
  const registration = view.enabledRegistration('callbacks', 'bank_accounts')
  if (!registration) return []
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
