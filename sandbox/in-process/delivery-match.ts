import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import { deliveredTypes, GENERATIONS, type Generation } from '../../spec/delivery.ts'
import { isNotifiedType, notifiedTypes } from '../../spec/notifications.ts'
import { didYouMean } from '../../spec/nearest.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import { objectFilter } from '../engine/state/queries/jobs.ts'
import type { View } from '../engine/state/view.ts'
import type { JobType, JobRecord } from '../engine/state/job.ts'

/** A filter for deliveries. A delivery matches if its fields equal all given fields. */
export interface DeliveryMatch<Type extends JobType = JobType> {
  readonly object_type?: Type
  /** One of the ids of the object. */
  readonly object_id?: string
  /** The state, in Hookbench's own or the platform's vocabulary. Null for an object type without states. */
  readonly state?: string | null
  readonly generation?: Generation
  /** The number of the attempt, counted from 1. The first retry is attempt 2. */
  readonly attempt?: number
  /** The HTTP status of the response. Null if your receiver threw an error or timed out. */
  readonly status?: number | null
}

export interface ReceivedDelivery {
  readonly job: JobRecord
  readonly attempt: AttemptHead
  readonly cause?: unknown
}

export interface ParsedMatch {
  readonly match: DeliveryMatch
  /** A description of the filter, such as `object_type "items" and state "completed"`. */
  readonly text: string
  /** Returns true if a delivery of the job may match. */
  readonly concerns: (job: JobRecord) => boolean
  readonly agrees: (delivery: ReceivedDelivery) => boolean
}

const FIELDS = ['object_type', 'object_id', 'state', 'generation', 'attempt', 'status'] as const

/** Parses a filter. Throws an error if no delivery can match, because the test would then always time out or always pass. */
export function parseMatch(match: DeliveryMatch, view: View): ParsedMatch {
  const { object_type, object_id, state, generation, attempt, status } = match
  for (const [field, value] of Object.entries(match)) refuseField(field, value)
  if (object_type !== undefined) refuseUnlisted('object type', object_type, deliveredTypes)
  if (generation !== undefined) refuseUnlisted('generation', generation, GENERATIONS)
  if (typeof state === 'string') refuseState(object_type, state)
  const concerns = (job: JobRecord) =>
    (object_type === undefined || job.object_type === object_type) &&
    (object_id === undefined || objectFilter(object_id, view)(job)) &&
    (state === undefined || job.state === state) &&
    (generation === undefined || job.generation === generation)
  const agrees = ({ job, attempt: made }: ReceivedDelivery) =>
    (attempt === undefined || made.number === attempt) &&
    (status === undefined || made.status === status) &&
    concerns(job)
  const terms = Object.entries(match).map(([field, value]) => `${field} ${JSON.stringify(value)}`)
  return { match, text: terms.join(' and '), concerns, agrees }
}

function refuseField(field: string, value: unknown): void {
  refuseUnlisted('field', field, FIELDS)
  if (value !== undefined) return
  throw new TypeError(
    `Cannot match a delivery by ${field}: the value is undefined. Give a value, or omit the field`,
  )
}

function refuseState(type: JobType | undefined, state: string): void {
  const types = type === undefined ? notifiedTypes : isNotifiedType(type) ? [type] : []
  const states = types.flatMap((each) => Object.keys(LIFECYCLES.objects[each].states))
  if (states.length > 0)
    return refuseUnlisted(type === undefined ? 'state' : `state of ${type}`, state, states)
  throw new RangeError(
    `Cannot match a delivery of ${type} by state: its body contains no state. Omit the state`,
  )
}

function refuseUnlisted(what: string, value: string, list: readonly string[]): void {
  if (list.includes(value)) return
  const all = [...new Set(list)].join(', ')
  throw new RangeError(
    `Cannot match a delivery by the ${what} "${value}": the possible values are ${all}${didYouMean(value, list)}`,
  )
}
