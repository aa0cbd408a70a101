import type { Fault, FaultKindInfo, FaultMatch } from '../../../spec/generated/control-types.ts'
import { faultKinds, type FaultPlace } from '../../../spec/faults.ts'
import { notifiedTypes } from '../../../spec/notifications.ts'
import type { FaultRule, FaultState } from '../../engine/state/entries.ts'
import { readFault } from '../../engine/faults/read-fault.ts'
import { notFoundError } from '../../engine/core/api-error.ts'
import { reply } from '../operations/operation.ts'
import { readPastOrPresent } from './look-back.ts'
import type { ControlOperation } from './operation.ts'
import type { View } from '../../engine/state/view.ts'
import { listAll } from './registrations.ts'
import { completeId, completeObjectId, searchIds } from './short-ids.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const addFault: ControlOperation<'addFault'> = ({ body }, context) => {
  const fault = withFullIds(readFault(body, context), context.view)
  const state = { ...fault, matched: 0, applied: 0, created_at: context.now() }
  return reply(201, toFault(state), [{ kind: 'fault', fault }])
}

function withFullIds(fault: FaultRule, view: View): FaultRule {
  const { object_type, object_id, registration_id, job_id } = fault.match
  const types = notifiedTypes.filter((type) => object_type === undefined || type === object_type)
  const match: FaultMatch = {
    ...fault.match,
    ...(object_id !== undefined && {
      object_id: completeObjectId(object_id, view, { types, field: 'match/object_id' }),
    }),
    ...(registration_id !== undefined && {
      registration_id: completeId(registration_id, searchIds(listAll(view)), 'match/registration_id'),
    }),
    ...(job_id !== undefined && { job_id: completeId(job_id, view.jobIdsBeginning, 'match/job_id') }),
  }
  return { ...fault, match }
}

export const listFaults: ControlOperation<'listFaults'> = readPastOrPresent((_, { view }) =>
  reply(200, { faults: view.faults().map(toFault) }),
)

export const clearFaults: ControlOperation<'clearFaults'> = (_, { view }) => {
  const faults = view.faults()
  const writes = faults.map(({ id }) => ({ kind: 'fault-end', fault_id: id }) as const)
  return reply(200, { faults: faults.map(toFault) }, writes)
}

export const removeFault: ControlOperation<'removeFault'> = ({ path }, { view }) => {
  const faults = view.faults()
  const wanted = completeId(path.id, searchIds(faults))
  const fault = faults.find(({ id }) => id === wanted)
  if (fault) return reply(200, toFault(fault), [{ kind: 'fault-end', fault_id: fault.id }])
  throw notFoundError('fault', path.id, 'faults')
}

export const listFaultKinds: ControlOperation<'listFaultKinds'> = () =>
  reply(200, { kinds: (['delivery', 'api'] as const).flatMap(kindsOf) })

function kindsOf(on: FaultPlace): FaultKindInfo[] {
  return Object.entries(faultKinds[on]).map(([kind, { about, takes, needs = [] }]) => ({
    on,
    kind,
    about,
    takes: [...takes],
    needs: [...needs],
  }))
}

export function toFault({ match, settings, created_at, ...fault }: FaultState): Fault {
  return { ...fault, match: { ...match }, settings: { ...settings }, created_at: timestamp(created_at) }
}
