import { createHash } from 'node:crypto'
import { objectId, objectIds, objectState } from '../../spec/models.ts'
import type { ReadingValues } from '../../spec/readings.ts'
import type { ObjectWrite, Write } from '../operations/operation.ts'
import type { Entry, Generation, JobHead, Registration } from '../state/entries.ts'
import type { View } from '../state/store.ts'
import { notificationBody } from './body.ts'

export interface OutboxContext {
  readonly view: View
  readonly readings: ReadingValues
  readonly now: number
  readonly newId: () => string
}

const GENERATIONS: readonly Generation[] = ['webhooks', 'callbacks']

/**
 * What to commit for these writes, in one transaction: the changes themselves, a job for each enabled registration of a
 * changed object, and the end of what a disabled registration still had to send. Source: §6.1
 */
export function entriesOf(writes: readonly Write[], context: OutboxContext): Entry[] {
  return writes.flatMap((write): Entry[] => {
    switch (write.kind) {
      case 'object':
        return objectEntries(write, context)
      case 'registration': {
        const { registration } = write
        const entry: Entry = { head: { kind: 'registration', at: context.now, registration }, body: '' }
        return registration.enabled ? [entry] : [entry, ...cancellations(registration, context)]
      }
      case 'deletion': {
        const { registration } = write
        const head = { kind: 'deletion', at: context.now, registration_id: registration.id } as const
        return [{ head, body: '' }, ...cancellations(registration, context)]
      }
      default:
        return write satisfies never
    }
  })
}

function objectEntries(
  { object_type, object, silent = false }: ObjectWrite,
  context: OutboxContext,
): Entry[] {
  const { view, now } = context
  const [id = '', ...aliases] = objectIds(object_type, object)
  const revision = (view.object(object_type, id)?.revision ?? 0) + 1
  const entry: Entry = {
    head: { kind: 'object', at: now, object_type, id, ...(aliases.length > 0 && { aliases }), revision },
    body: JSON.stringify(object),
  }
  if (silent) return [entry]
  const registrations = GENERATIONS.flatMap(
    (generation) => view.enabledRegistration(generation, object_type) ?? [],
  )
  const body = notificationBody(object_type, object)
  return [
    entry,
    ...registrations.map((registration) => ({
      head: jobHead({ kind: 'object', object_type, object }, { registration, revision, body }, context),
      body,
    })),
  ]
}

function jobHead(
  { object_type, object }: ObjectWrite,
  { registration, revision, body }: { registration: Registration; revision: number; body: string },
  { now, newId }: OutboxContext,
): JobHead {
  return {
    kind: 'job',
    at: now,
    id: newId(),
    generation: registration.generation,
    registration_id: registration.id,
    object_type,
    object_id: objectId(object_type, object),
    revision,
    state: objectState(object_type, object),
    url: registration.url,
    hashed_payload: createHash('sha256').update(body).digest('hex'),
  }
}

// Reading: pending-retries
function cancellations({ id }: Registration, { view, readings, now }: OutboxContext): Entry[] {
  if (readings['pending-retries'] === 'frozen-url') return []
  return view
    .jobs(id)
    .filter((job) => job.next_due_at !== null)
    .map((job) => ({ head: { kind: 'cancellation', at: now, job_id: job.id }, body: '' }))
}
