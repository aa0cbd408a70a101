import type { NotifiedType } from '../../../spec/notifications.ts'
import type { Payment } from './payment.ts'
import type {
  AccountOwner,
  AttemptHead,
  Generation,
  Head,
  JobHead,
  ObjectHead,
  Registration,
} from './entries.ts'
import { applyFault, type FaultIndex } from './fault-index.ts'

export type JobStatus = 'pending' | 'success' | 'failed'

/** A job as it stands: what its trigger fixed, and what its attempts have come to. */
export interface JobRecord extends Omit<JobHead, 'kind' | 'at'> {
  /** Its place among all jobs, from 0. */
  readonly ordinal: number
  readonly position: number
  readonly created_at: number
  readonly updated_at: number
  readonly status: JobStatus
  /** The log's numbers of its attempts, oldest first. */
  readonly attempts: readonly number[]
  /** How many of them the schedule made; the others were resent by hand. */
  readonly scheduled: number
  /** How the last attempt ended: an HTTP status or a reason. */
  readonly last: string | null
  /** When the first attempt ended: what the retry offsets count from. */
  readonly first_ended_at: number | null
  /** Null when no attempt follows. */
  readonly next_due_at: number | null
}

export interface ObjectRef {
  readonly revision: number
  readonly position: number
  /** The revision before. */
  readonly earlier: ObjectRef | undefined
}

export interface SecretRef {
  readonly position: number
  readonly set_at: number
}

/** What is looked up often, in memory, built from the heads of the log alone. */
export interface Indexes extends FaultIndex {
  latestAt: number
  readonly jobs: MutableJob[]
  readonly jobById: Map<string, MutableJob>
  readonly jobsByRegistration: Map<string, MutableJob[]>
  readonly registrationById: Map<string, Registration>
  readonly objectsByType: Map<NotifiedType, Map<string, ObjectRef>>
  /** Every payment, in the order of their beginnings, as it stands. */
  readonly payments: Payment[]
  readonly paymentOrdinalById: Map<string, number>
  /** The account of a user, by `user/kind`. */
  readonly accountIdByOwner: Map<string, string>
  readonly ownerByAccountId: Map<string, AccountOwner>
  /** The id that an object is kept by, by its other ids. */
  readonly idByAlias: Map<NotifiedType, Map<string, string>>
  /** The enabled registration of each generation and type. */
  readonly enabledIdBySlot: Map<string, string>
  /** Where the crafted deliveries are, oldest first. */
  readonly crafted: number[]
  readonly craftedPositionById: Map<string, number>
  /** Where the secrets are that may still sign, the newest first. */
  secrets: readonly SecretRef[]
  /** An option for each reading that was chosen at run time. */
  readings: Readonly<Record<string, string>>
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

interface MutableJob extends Mutable<Omit<JobRecord, 'attempts'>> {
  attempts: number[]
}

export function createIndexes(): Indexes {
  return {
    latestAt: 0,
    jobs: [],
    jobById: new Map(),
    jobsByRegistration: new Map(),
    registrationById: new Map(),
    objectsByType: new Map(),
    idByAlias: new Map(),
    payments: [],
    paymentOrdinalById: new Map(),
    accountIdByOwner: new Map(),
    ownerByAccountId: new Map(),
    enabledIdBySlot: new Map(),
    faultById: new Map(),
    matchedByJob: new Map(),
    crafted: [],
    craftedPositionById: new Map(),
    secrets: [],
    readings: {},
  }
}

export function enabledId(
  indexes: Indexes,
  generation: Generation,
  type: Registration['object_type'],
): string | undefined {
  return indexes.enabledIdBySlot.get(slotOf({ generation, object_type: type }))
}

/** Takes in the entry with this number. */
export function apply(indexes: Indexes, head: Head, position: number): void {
  indexes.latestAt = Math.max(indexes.latestAt, head.at)
  switch (head.kind) {
    case 'object':
      return applyObject(indexes, head, position)
    case 'registration':
      return applyRegistration(indexes, head.registration)
    case 'deletion':
      return applyDeletion(indexes, head.registration_id)
    case 'job':
      return applyJob(indexes, head, position)
    case 'attempt':
      indexes.matchedByJob.delete(head.job_id)
      return applyAttempt(indexes.jobById.get(head.job_id), head, position)
    case 'cancellation': {
      const job = indexes.jobById.get(head.job_id)
      if (job) job.next_due_at = null
      return
    }
    case 'secret':
      indexes.secrets = [{ position, set_at: head.set_at }, ...indexes.secrets.slice(0, 1)]
      return
    case 'readings':
      indexes.readings = { ...indexes.readings, ...head.chosen }
      return
    case 'payment':
      return applyPayment(indexes, head.payment)
    case 'fault':
    case 'fault-end':
    case 'fault-use':
      return applyFault(indexes, head)
    case 'crafted':
      indexes.crafted.push(position)
      indexes.craftedPositionById.set(head.id, position)
      return
    case 'clock':
      return
    default:
      head satisfies never
  }
}

function applyObject(indexes: Indexes, head: ObjectHead, position: number): void {
  const { object_type, id, revision, owner, aliases = [] } = head
  const refs = mapIn(indexes.objectsByType, object_type)
  refs.set(id, { revision, position, earlier: refs.get(id) })
  if (owner) applyOwner(indexes, owner, id)
  for (const alias of aliases) mapIn(indexes.idByAlias, object_type).set(alias, id)
}

function applyRegistration(indexes: Indexes, registration: Registration): void {
  const { id, enabled } = registration
  const before = indexes.registrationById.get(id)
  if (before?.enabled) indexes.enabledIdBySlot.delete(slotOf(before))
  if (enabled) indexes.enabledIdBySlot.set(slotOf(registration), id)
  indexes.registrationById.set(id, registration)
}

function applyOwner({ accountIdByOwner, ownerByAccountId }: Indexes, owner: AccountOwner, id: string): void {
  accountIdByOwner.set(`${owner.user_id}/${owner.account_kind}`, id)
  ownerByAccountId.set(id, owner)
}

function applyPayment({ payments, paymentOrdinalById }: Indexes, payment: Payment): void {
  const ordinal = paymentOrdinalById.get(payment.id) ?? payments.length
  paymentOrdinalById.set(payment.id, ordinal)
  payments[ordinal] = payment
}

function applyDeletion(indexes: Indexes, id: string): void {
  const registration = indexes.registrationById.get(id)
  if (!registration) return
  applyRegistration(indexes, { ...registration, enabled: false })
  indexes.registrationById.delete(id)
}

function applyJob(indexes: Indexes, { kind: _, at, ...head }: JobHead, position: number): void {
  const job: MutableJob = {
    ...head,
    ordinal: indexes.jobs.length,
    position,
    created_at: at,
    updated_at: at,
    status: 'pending',
    attempts: [],
    scheduled: 0,
    last: null,
    first_ended_at: null,
    next_due_at: at,
  }
  indexes.jobs.push(job)
  indexes.jobById.set(job.id, job)
  listIn(indexes.jobsByRegistration, job.registration_id).push(job)
}

// A failed job is marked failed and still retried; success is final. Source: §7. Reading: webhook-jobs
function applyAttempt(job: MutableJob | undefined, head: AttemptHead, position: number): void {
  if (!job) return
  job.attempts.push(position)
  if (head.manual !== true) job.scheduled++
  job.updated_at = head.at
  job.first_ended_at ??= head.at
  job.next_due_at = head.next_due_at
  job.last = head.reason ?? String(head.status)
  if (head.reason === null) job.status = 'success'
  else if (job.status === 'pending') job.status = 'failed'
}

function slotOf({ generation, object_type }: Pick<Registration, 'generation' | 'object_type'>): string {
  return `${generation}/${object_type}`
}

function listIn<Value>(lists: Map<string, Value[]>, key: string): Value[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function mapIn<Key, Value>(maps: Map<Key, Map<string, Value>>, key: Key): Map<string, Value> {
  const map = maps.get(key) ?? new Map<string, Value>()
  maps.set(key, map)
  return map
}
