import type { FaultMatch } from '../../spec/generated/control-types.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { FaultState } from './fault.ts'
import type { Holds } from './holds.ts'
import type { Occasion } from './matcher.ts'

export interface DeliveryFaultPorts {
  readonly matching: (occasion: Occasion) => readonly FaultState[]
  readonly holds: Holds
  /** Whether an id is another one of the job's object. */
  readonly isAbout: (id: string, job: JobRecord) => boolean
}

/** What goes wrong with deliveries on purpose. */
export interface DeliveryFaults {
  /** The faults that apply to the next attempt of a job. Counts them. */
  match(job: JobRecord): readonly FaultState[]
  /** Resolves when they let the job go; undefined if none holds it back. */
  hold(job: JobRecord, faults: readonly FaultState[]): Promise<void> | undefined
  /** An attempt of this job has ended: what waited to be overtaken by it goes on. */
  passed(job: JobRecord): void
}

export function createDeliveryFaults({ matching, holds, isAbout }: DeliveryFaultPorts): DeliveryFaults {
  return {
    match: (job) =>
      matching({
        on: 'delivery',
        isMeantBy: (match) => isMeant(match, job, isAbout),
        // Two change places: the one that overtakes is not held back as well.
        isExempt: ({ id, kind }) => kind === 'reorder' && holds.isHolding(id, job.registration_id),
      }),
    hold(job, faults) {
      const holding = faults.filter(({ kind }) => kind === 'delay' || kind === 'reorder')
      return holding.length === 0 ? undefined : held(job, holding)
    },
    passed: ({ registration_id }) => holds.letGo({ key: registration_id }),
  }

  async function held({ registration_id }: JobRecord, faults: readonly FaultState[]): Promise<void> {
    const began = holds.clearings
    for (const { id, kind, settings } of faults) {
      if (holds.clearings !== began) return
      const key = kind === 'reorder' ? { key: registration_id } : {}
      await holds.wait(id, { afterMs: settings.delay_ms, ...key })
    }
  }
}

function isMeant(match: FaultMatch, job: JobRecord, isAbout: DeliveryFaultPorts['isAbout']): boolean {
  const { object_type, object_id, generation, registration_id, job_id, state, attempt } = match
  return (
    isSame(object_type, job.object_type) &&
    isSame(generation, job.generation) &&
    isSame(registration_id, job.registration_id) &&
    isSame(job_id, job.id) &&
    isSame(state, job.state) &&
    isSame(attempt, job.attempts.length + 1) &&
    (object_id === undefined || isAbout(object_id, job))
  )
}

function isSame<Value>(asked: Value | undefined, present: Value | null): boolean {
  return asked === undefined || asked === present
}
