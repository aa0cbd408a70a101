import type { FaultMatch } from '../../../spec/generated/control-types.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { View } from '../state/view.ts'
import { alters } from './altered-text.ts'
import type { FaultState } from '../state/fault.ts'
import type { Gates } from './gates.ts'
import type { Occasion } from './matcher.ts'

export interface DeliveryFaultPorts {
  readonly matching: (occasion: Occasion) => readonly FaultState[]
  readonly gates: Gates
  readonly view: Pick<View, 'matchedFaults' | 'jobBody'>
  /** Whether an id is another one of the job's object. */
  readonly isAbout: (id: string, job: JobRecord) => boolean
}

/** What goes wrong with deliveries on purpose. */
export interface DeliveryFaults {
  /** The faults that apply to the next attempt of a job: those that were matched for it already, or else counts them. */
  match(job: JobRecord): readonly FaultState[]
  /** What holds the job back; undefined if nothing does. */
  hold(job: JobRecord, faults: readonly FaultState[]): Held | undefined
  /** The turn of this job has ended: what waited to be overtaken by it goes on. */
  passed(job: Pick<JobRecord, 'id'>): void
}

/** A delivery that waits. */
export interface Held {
  /** Resolves when it may go on. */
  readonly release: Promise<void>
  /** Whether it goes on by itself, after some real time. */
  readonly timed: boolean
}

export function createDeliveryFaults(ports: DeliveryFaultPorts): DeliveryFaults {
  const { matching, gates, view } = ports
  return {
    match(job) {
      const known = view.matchedFaults(job)
      const waitsAgain = known?.some(({ kind }) => kind === 'reorder') === true
      // Two change places: the one that overtakes is not held back as well.
      const overtakes = !waitsAgain && gates.claim(job.registration_id, job.id)
      return known ?? matching(occasionOf(job, overtakes, ports))
    },
    hold(job, faults) {
      const holding = faults.filter(({ kind }) => kind === 'delay' || kind === 'reorder')
      if (holding.length === 0) return undefined
      const timed = holding.every(({ settings }) => settings.delay_ms !== undefined)
      return { release: heldBy(holding, job), timed }
    },
    passed: ({ id }) => gates.release({ overtakenBy: id }),
  }

  async function heldBy(faults: readonly FaultState[], { registration_id }: JobRecord): Promise<void> {
    const began = gates.clearings
    for (const { id, kind, settings } of faults) {
      if (gates.clearings !== began) return
      const key = kind === 'reorder' ? { key: registration_id } : {}
      await gates.wait(id, { afterMs: settings.delay_ms, ...key })
    }
  }
}

function occasionOf(job: JobRecord, overtakes: boolean, { isAbout, view }: DeliveryFaultPorts): Occasion {
  return {
    on: 'delivery',
    of: { job_id: job.id, attempt: job.attempts.length + 1 },
    isMeantBy: (match) => isMeant(match, job, isAbout),
    isExempt: ({ kind, settings }) =>
      (kind === 'reorder' && overtakes) ||
      // There is nothing older to send, or nothing there to set: it would apply, and change nothing.
      (kind === 'stale-body' && job.revision === 1) ||
      (kind === 'altered-body' && !alters(view.jobBody(job), settings)),
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
