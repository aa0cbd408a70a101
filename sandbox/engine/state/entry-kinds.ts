import type { EntryHead } from '../../../spec/generated/control-types.ts'
import type {
  AttemptHead,
  AttemptStartHead,
  Entry,
  FaultEndHead,
  FaultHead,
  FaultUseHead,
  Head,
  HeadByKind,
  HeadOf,
  ObjectHead,
} from './entries.ts'
import { slotKey, type Indexes } from './indexes.ts'
import type { Payment } from './payment.ts'
import type { Registration } from './registration.ts'

/** What there is to know of a kind of entry besides the shape of its head, which is in spec/control.yaml. */
interface EntryKind<Kind extends Head> {
  readonly body: 'json' | 'text' | 'none'
  /** Takes the entry with this number into the indexes. */
  readonly apply: (indexes: Indexes, head: Kind, position: number) => void
}

const ENTRY_KINDS: { readonly [Kind in EntryHead['kind']]: EntryKind<HeadByKind[Kind]> } = {
  object: { body: 'json', apply: applyObject },
  registration: {
    body: 'none',
    apply: (indexes, { registration }) => applyRegistration(indexes, registration),
  },
  deletion: {
    body: 'none',
    apply: (indexes, { registration_id }) => applyDeletion(indexes, registration_id),
  },
  job: { body: 'json', apply: ({ jobs }, head, position) => jobs.add(head, position) },
  'attempt-start': { body: 'json', apply: applyAttemptStart },
  attempt: { body: 'json', apply: applyAttempt },
  cancellation: {
    body: 'none',
    apply({ jobs }, { job_id }) {
      const job = jobs.find(job_id)
      if (job !== undefined) jobs.setNextDueAt(job, null)
    },
  },
  clock: {
    body: 'none',
    apply({ present }, { speed }) {
      if (speed !== undefined) present.speed = speed
    },
  },
  payment: { body: 'none', apply: (indexes, { payment }) => applyPayment(indexes, payment) },
  'next-outcome': {
    body: 'none',
    apply({ nextOutcomes }, { payment_kind, outcome }) {
      if (outcome === null) nextOutcomes.delete(payment_kind)
      else nextOutcomes.set(payment_kind, outcome)
    },
  },
  secret: {
    body: 'text',
    apply({ present }, { set_at }, position) {
      present.secrets = [{ position, set_at }, ...present.secrets.slice(0, 1)]
    },
  },
  readings: {
    body: 'none',
    apply({ present }, { chosen }) {
      present.readings = { ...present.readings, ...chosen }
    },
  },
  fault: { body: 'none', apply: applyFault },
  'fault-end': { body: 'none', apply: applyFault },
  'fault-use': { body: 'none', apply: applyFault },
  crafted: {
    body: 'json',
    apply({ crafted, craftedPositionById }, { id }, position) {
      crafted.push(position)
      craftedPositionById.set(id, position)
    },
  },
}

/** Takes the entry with this number into the indexes. */
export function applyEntry<Kind extends keyof HeadByKind>(
  indexes: Indexes,
  head: HeadOf<Kind>,
  position: number,
): void {
  const { present } = indexes
  present.latestAt = Math.max(present.latestAt, head.at)
  ENTRY_KINDS[head.kind].apply(indexes, head, position)
}

/** The body of an entry whose kind has JSON, or an empty object for the others; undefined if it is not JSON of an object. */
export function readEntryBody({ head, body }: Pick<Entry, 'head' | 'body'>): object | undefined {
  if (ENTRY_KINDS[head.kind].body !== 'json') return {}
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function applyObject({ present, objects, owners }: Indexes, head: ObjectHead, position: number): void {
  present.changedAt = Math.max(present.changedAt, head.at)
  const number = objects[head.object_type].add(head, position)
  if (head.owner && head.object_type === 'accounts') owners.add(number, head.owner)
}

function applyRegistration(indexes: Indexes, registration: Registration): void {
  const { id, enabled } = registration
  const before = indexes.registrationById.get(id)
  if (before?.enabled) indexes.enabledIdBySlot.delete(slotKey(before))
  if (enabled) indexes.enabledIdBySlot.set(slotKey(registration), id)
  indexes.registrationById.set(id, registration)
}

function applyPayment({ payments, paymentOrdinalById, paymentObjects }: Indexes, payment: Payment): void {
  const ordinal = paymentOrdinalById.get(payment.id) ?? payments.length
  paymentOrdinalById.set(payment.id, ordinal)
  payments[ordinal] = payment
  paymentObjects.change(ordinal)
}

function applyDeletion(indexes: Indexes, id: string): void {
  const registration = indexes.registrationById.get(id)
  if (!registration) return
  applyRegistration(indexes, { ...registration, enabled: false })
  indexes.registrationById.delete(id)
}

function applyAttemptStart({ jobs }: Indexes, { job_id }: AttemptStartHead, position: number): void {
  const job = jobs.find(job_id)
  if (job !== undefined) jobs.begin(job, position)
}

// A failed job is marked failed and still retried; success is final. Source: §7. Reading: webhook-jobs
function applyAttempt(indexes: Indexes, head: AttemptHead, position: number): void {
  const { jobs, matchedByJob } = indexes
  const job = jobs.find(head.job_id)
  if (job === undefined) return
  jobs.addAttempt(job, position, head.reason ?? String(head.status))
  if (head.reason === 'interrupted') return keepMatched(indexes, head)
  matchedByJob.delete(head.job_id)
  jobs.countEnded(job, head.at, head.manual === true)
  jobs.setNextDueAt(job, head.next_due_at)
  if (head.reason === null) jobs.setStatus(job, 'success')
  else if (jobs.status(job) === 'pending') jobs.setStatus(job, 'failed')
}

/** What was matched for an attempt that was cut off applies to the one that is made in its place. */
function keepMatched({ matchedByJob }: Indexes, { job_id, number }: AttemptHead): void {
  const matched = matchedByJob.get(job_id)
  if (matched?.attempt === number) matchedByJob.set(job_id, { ...matched, attempt: number + 1 })
}

/** Takes in what was added, removed or matched. */
function applyFault(
  { faultById: faults, matchedByJob }: Indexes,
  head: FaultHead | FaultEndHead | FaultUseHead,
): void {
  if (head.kind === 'fault')
    faults.set(head.fault.id, { ...head.fault, matched: 0, applied: 0, created_at: head.at })
  else if (head.kind === 'fault-end') faults.delete(head.fault_id)
  else {
    const fault = faults.get(head.fault_id)
    if (!fault) return
    if (head.job_id !== undefined) {
      const { attempt = 0, faultIds: known = [] } = matchedByJob.get(head.job_id) ?? {}
      const before = attempt === head.attempt ? known : []
      const faultIds = head.applied ? [...before, fault.id] : before
      matchedByJob.set(head.job_id, { attempt: head.attempt ?? 0, faultIds })
    }
    const { matched, applied } = fault
    faults.set(fault.id, { ...fault, matched: matched + 1, applied: applied + Number(head.applied) })
  }
}
