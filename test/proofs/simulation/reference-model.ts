import type {
  AttemptHead,
  AttemptStartHead,
  Head,
  JobHead,
  ObjectHead,
  Registration,
  Payment,
} from '../../../sandbox/engine/state/entries.ts'
import type { WrittenEntry } from './world/history.ts'

/** A simple view of the log that does not use the sandbox's queries. */
export interface ReferenceModel {
  readonly entries: readonly WrittenEntry[]
  readonly revisions: readonly Revision[]
  readonly registrations: readonly RegistrationChange[]
  readonly jobs: readonly Job[]
  readonly jobById: ReadonlyMap<string, Job>
  readonly payments: ReadonlyMap<string, Payment>
  /** The ids of all participants in payments, including notified objects. */
  readonly participants: ReadonlySet<string>
  readonly paid: ReadonlySet<string>
}

type Written<Kind extends Head> = Omit<WrittenEntry, 'head'> & { readonly head: Kind }

export interface Revision extends Written<ObjectHead> {
  readonly key: string
  readonly before: Revision | undefined
}

export interface RegistrationChange {
  readonly position: number
  readonly tick: number
  readonly id: string
  readonly before: Registration | undefined
  /** The new registration. Undefined after a deletion. */
  readonly after: Registration | undefined
}

export interface Job extends Written<JobHead> {
  readonly starts: Written<AttemptStartHead>[]
  readonly attempts: Written<AttemptHead>[]
  cancelled?: WrittenEntry
}

export function replay(entries: readonly WrittenEntry[]): ReferenceModel {
  const revisions: Revision[] = []
  const latest = new Map<string, Revision>()
  const registrations: RegistrationChange[] = []
  const registered = new Map<string, Registration>()
  const jobById = new Map<string, Job>()
  const payments = new Map<string, Payment>()

  function changeRegistration({ position, tick }: WrittenEntry, id: string, after?: Registration): void {
    registrations.push({ position, tick, id, before: registered.get(id), after })
    if (after) registered.set(id, after)
    else registered.delete(id)
  }

  for (const entry of entries) {
    const { head } = entry
    switch (head.kind) {
      case 'object': {
        const key = `${head.object_type}/${head.id}`
        const revision = { ...entry, head, key, before: latest.get(key) }
        revisions.push(revision)
        latest.set(key, revision)
        break
      }
      case 'registration':
        changeRegistration(entry, head.registration.id, head.registration)
        break
      case 'deletion':
        changeRegistration(entry, head.registration_id)
        break
      case 'job':
        jobById.set(head.id, { ...entry, head, starts: [], attempts: [] })
        break
      case 'attempt-start':
        jobById.get(head.job_id)?.starts.push({ ...entry, head })
        break
      case 'attempt':
        jobById.get(head.job_id)?.attempts.push({ ...entry, head })
        break
      case 'cancellation': {
        const job = jobById.get(head.job_id)
        if (job) job.cancelled = entry
        break
      }
      case 'payment':
        payments.set(head.payment.id, head.payment)
        break
      case 'clock':
      case 'crafted':
      case 'fault':
      case 'fault-end':
      case 'fault-use':
      case 'next-outcome':
      case 'readings':
      case 'secret':
        break
      default:
        head satisfies never
    }
  }
  const all = [...payments.values()]
  return {
    entries,
    revisions,
    registrations,
    jobs: [...jobById.values()],
    jobById,
    payments,
    participants: new Set(all.flatMap((payment) => Object.values(payment.participants))),
    paid: new Set(all.flatMap((payment) => Object.values(payment.objects))),
  }
}

export function registrationsAt(
  { registrations }: Pick<ReferenceModel, 'registrations'>,
  position: number,
): ReadonlyMap<string, Registration> {
  const found = new Map<string, Registration>()
  for (const change of registrations) {
    if (change.position > position) break
    if (change.after) found.set(change.id, change.after)
    else found.delete(change.id)
  }
  return found
}

export function attemptsAt({ attempts }: Job, position: number): readonly AttemptHead[] {
  return attempts.filter((attempt) => attempt.position <= position).map(({ head }) => head)
}

/** Returns the attempts, except interrupted attempts and manual resends. */
export function scheduledAttempts({ attempts }: Pick<Job, 'attempts'>): readonly AttemptHead[] {
  return attempts
    .map(({ head }) => head)
    .filter(({ reason, manual }) => reason !== 'interrupted' && manual !== true)
}

/** Source: §7 of the service's document */
export function statusAfter(attempts: readonly AttemptHead[]): 'pending' | 'failed' | 'success' {
  const ended = attempts.filter(({ reason }) => reason !== 'interrupted')
  if (ended.some(({ status }) => status !== null && status >= 200 && status < 300)) return 'success'
  return ended.length === 0 ? 'pending' : 'failed'
}
