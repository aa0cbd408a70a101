import type { JobSummary, RegistrationRecord, World } from '../../../spec/generated/control-types.ts'
import { isNotifiedType } from '../../../spec/notifications.ts'
import { shortId } from '../../engine/core/short-text.ts'
import { NOTHING, toCandidate, type Candidate } from './candidate.ts'
import { listStates } from './document-values.ts'
import { firstGiven, type ValueContext, type ValueSource } from './value-source.ts'

// What the sandbox that runs knows, the newest first.

const MOST = 200

type List = (context: ValueContext) => Promise<readonly Candidate[]>

const source =
  (list: List): ValueSource =>
  async (context) => ({ candidates: await list(context) })

/** The objects of a type: that one, or the one that is given. */
export function objectsOf(type?: string): ValueSource {
  return async (context) => {
    const name = type ?? firstGiven(context, 'type') ?? ''
    if (!isNotifiedType(name)) return NOTHING
    const { text, perform } = context
    const query = { limit: MOST, ...(text !== '' && { id: text }) }
    const { objects } = await perform('listObjects', { path: { type: name }, query })
    return { candidates: objects.toReversed().map(({ id, state }) => toCandidate(id, state ?? name)) }
  }
}

/** The objects of the type that is given, or else those that jobs are about. */
export const OBJECTS: ValueSource = async (context) => {
  const type = firstGiven(context, '--type')
  if (type !== undefined) return objectsOf(type)(context)
  const page = await context.perform('listJobs', { query: { limit: MOST } })
  const types = new Map(page.jobs.toReversed().map(({ object_id, object_type }) => [object_id, object_type]))
  return { candidates: [...types].map(([id, about]) => toCandidate(id, about)) }
}

/** Where the object that is given can go. */
export const MOVES = source(async (context) => {
  const [type, id] = [firstGiven(context, 'type') ?? '', firstGiven(context, 'id') ?? '']
  const { state, next } = await context.perform('describeObject', { path: { type, id } })
  const known = listStates(type)
  const about = state === null ? '' : `from ${state}`
  return next.map((to) => toCandidate(to, known.some(({ value }) => value === to) ? about : ''))
})

/** Jobs; only those that can be resent, where that matters. */
export function jobs(isWanted: (job: JobSummary) => boolean = () => true): ValueSource {
  return source(async ({ perform, text }) => {
    const page = await perform('listJobs', { query: { limit: MOST } })
    const fitting = page.jobs.filter((job) => isWanted(job) && job.id.startsWith(text))
    if (fitting.length > 0 || page.older === 0 || text.length < SHORTEST) {
      return fitting.toReversed().map(toJob)
    }
    // One of before, if no other begins so.
    const { job } = await perform('getJob', { path: { id: text } })
    return isWanted(job) ? [toJob(job)] : []
  })
}

/** The control API takes the beginning of an id from this length on. */
const SHORTEST = 4

function toJob({ id, object_type, object_id, state, status, last }: JobSummary): Candidate {
  const what = [object_type, shortId(object_id), ...(state === null ? [] : [state])].join(' ')
  return toCandidate(id, `${what}: ${status}${status === 'success' || last === null ? '' : `, ${last}`}`)
}

/** Registrations; only those that are notified, or are not, where that matters. */
export function registrations(
  isWanted: (registration: RegistrationRecord) => boolean = () => true,
): ValueSource {
  return source(async ({ perform }) => {
    const list = (await perform('listRegistrations')).registrations.filter(isWanted)
    return list.toReversed().map(({ id, generation, object_type, url, enabled }) => {
      const by = generation === 'callbacks' ? ' by callback' : ''
      return toCandidate(id, `${object_type}${by} at ${url}${enabled ? '' : ', disabled'}`)
    })
  })
}

/** Where receivers are registered. */
export const REGISTERED_URLS = source(async ({ perform }) => {
  const list = (await perform('listRegistrations')).registrations
  const types = Map.groupBy(list, ({ url }) => url)
  return [...types].map(([url, of]) => toCandidate(url, of.map(({ object_type }) => object_type).join(', ')))
})

/** Worlds; only those that are added and removed, where that matters. */
export function worlds(isWanted: (world: World) => boolean = () => true): ValueSource {
  return source(async ({ perform }) => {
    const list = (await perform('listWorlds')).worlds.filter(isWanted)
    return list.map(({ name, client_id, expires_at }) =>
      toCandidate(name, `client ${client_id}${expires_at === null ? '' : `, until ${expires_at}`}`),
    )
  })
}

/** Payments; only those that have a step left, where one is to be taken. */
export function payments({ unfinished }: { readonly unfinished: boolean }): ValueSource {
  return source(async ({ perform }) => {
    const list = (await perform('listPayments', { query: { limit: MOST } })).payments
    return list
      .filter(({ step, steps }) => !unfinished || step < steps)
      .toReversed()
      .map(({ id, kind, outcome, step, steps }) =>
        toCandidate(id, `${kind} to ${outcome}, step ${step} of ${steps}`),
      )
  })
}

export const FAULTS = source(async ({ perform }) => {
  const { faults } = await perform('listFaults')
  return faults.toReversed().map(({ id, on, kind, applied, match }) => {
    const pairs = Object.entries(match).map(([key, value]) => `${key}=${value}`)
    const where = pairs.length === 0 ? 'everything' : pairs.join(' ')
    return toCandidate(id, `${on} ${kind} on ${where}, applied ${applied} times`)
  })
})

export const DELIVERIES = source(async ({ perform }) => {
  const { deliveries } = await perform('listDeliveries', { query: { limit: MOST } })
  return deliveries.toReversed().map(({ id, url, at }) => toCandidate(id, `to ${url} at ${at}`))
})
