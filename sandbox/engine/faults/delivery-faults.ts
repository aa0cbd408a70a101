import type { FaultMatch } from '../../../spec/generated/control-types.ts'
import type { Transport } from '../core/ports.ts'
import type { FaultStateOn } from '../state/entries.ts'
import { objectFilter } from '../state/queries/jobs.ts'
import type { View } from '../state/view.ts'
import { DELIVERY_FAULTS, type BodyAt } from './delivery-kinds.ts'
import type { GateOptions, Gates } from './gates.ts'
import type { FaultTarget, Matcher } from './matcher.ts'
import type { JobRecord } from '../state/job.ts'

export type DeliveryFaults = ReturnType<typeof createDeliveryFaults>

type DeliveryFaultState = FaultStateOn<'delivery'>

export function createDeliveryFaults(gates: Gates, matcher: Matcher, view: View) {
  return {
    /** Returns the faults that apply to the next attempt of a job. Counts each match only once. */
    match(job: JobRecord): readonly DeliveryFaultState[] {
      const known = view.matchedFaults(job)
      const waitsAgain = known?.some((fault) => gateOptions(fault, job)?.key !== undefined) === true
      const overtakes = !waitsAgain && gates.claim(job.registration_id, job.id)
      return known ?? matcher(toTarget(job, overtakes, view))
    },
    /**
     * Delays a job if a fault requires a delay. `timed` is true if the delay has a limit. `onRelease` is called before `release`
     * resolves.
     */
    hold(job: JobRecord, faults: readonly DeliveryFaultState[], onRelease: () => void) {
      const holds = faults.flatMap((fault) => {
        const options = gateOptions(fault, job)
        return options ? [{ id: fault.id, options }] : []
      })
      if (holds.length === 0) return undefined
      const timed = holds.every(({ options }) => options.afterMs !== undefined)
      return { release: waitFor(holds, gates, onRelease), timed }
    },
    releaseOvertaken: ({ id }: Pick<JobRecord, 'id'>) => gates.release({ overtakenBy: id }),
  }
}

/** Wraps the transport in these faults. The first fault in the list is closest to the transport. */
export function wrapTransport(transport: Transport, faults: readonly FaultStateOn<'delivery'>[]): Transport {
  return faults.reduce((inner, { kind, settings }) => {
    const fault = DELIVERY_FAULTS[kind]
    return 'wrap' in fault ? fault.wrap(inner, settings) : inner
  }, transport)
}

export function faultyBody(
  faults: readonly FaultStateOn<'delivery'>[],
  job: JobRecord,
  bodyAt: BodyAt,
): string | undefined {
  for (const { kind, settings } of faults) {
    const fault = DELIVERY_FAULTS[kind]
    if ('body' in fault) return fault.body(job, settings, bodyAt)
  }
  return undefined
}

function gateOptions({ kind, settings }: FaultStateOn<'delivery'>, job: JobRecord): GateOptions | undefined {
  const fault = DELIVERY_FAULTS[kind]
  return 'hold' in fault ? fault.hold(job, settings) : undefined
}

async function waitFor(
  holds: readonly { readonly id: string; readonly options: GateOptions }[],
  gates: Gates,
  onRelease: () => void,
): Promise<void> {
  const began = gates.clearings
  for (const { id, options } of holds) {
    if (gates.clearings !== began) return
    const isLast = id === holds.at(-1)?.id
    await gates.wait(id, isLast ? { ...options, onRelease } : options)
  }
}

function toTarget(job: JobRecord, overtakes: boolean, view: View): FaultTarget<'delivery'> {
  const delivery = { job, overtakes, body: () => view.jobBodyIfWhole(job) ?? '' }
  return {
    on: 'delivery',
    attempt: { job_id: job.id, attempt: job.attempts + 1 },
    agreesWith: (match) => agrees(match, job, view),
    isExempt: ({ kind, settings }) => DELIVERY_FAULTS[kind].exempt?.(delivery, settings) === true,
  }
}

function agrees(match: FaultMatch, job: JobRecord, view: View): boolean {
  const { object_type, object_id, generation, registration_id, job_id, state, attempt } = match
  return (
    isSame(object_type, job.object_type) &&
    isSame(generation, job.generation) &&
    isSame(registration_id, job.registration_id) &&
    isSame(job_id, job.id) &&
    isSame(state, job.state) &&
    isSame(attempt, job.attempts + 1) &&
    (object_id === undefined || objectFilter(object_id, view)(job))
  )
}

function isSame<Value>(expected: Value | undefined, actual: Value | null): boolean {
  return expected === undefined || expected === actual
}
