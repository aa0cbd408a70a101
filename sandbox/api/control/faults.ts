import type { Fault } from '../../../spec/generated/control-types.ts'
import type { FaultState } from '../../engine/state/fault.ts'
import { readFault } from '../../engine/faults/read-fault.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { reply } from '../operations/operation.ts'
import type { ControlOperation } from './operation.ts'
import { completeId, listIds } from './short-ids.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const addFault: ControlOperation<'addFault'> = ({ body }, context) => {
  const fault = readFault(body, context)
  const state = { ...fault, matched: 0, applied: 0, created_at: context.now() }
  return reply(201, toFault(state), [{ kind: 'fault', fault }])
}

export const listFaults: ControlOperation<'listFaults'> = (_, { view }) =>
  reply(200, { faults: view.faults().map(toFault) })

export const clearFaults: ControlOperation<'clearFaults'> = (_, { view }) => {
  const faults = view.faults()
  const writes = faults.map(({ id }) => ({ kind: 'fault-end', fault_id: id }) as const)
  return reply(200, { faults: faults.map(toFault) }, writes)
}

export const removeFault: ControlOperation<'removeFault'> = ({ path }, { view }) => {
  const faults = view.faults()
  const wanted = completeId(path.id, listIds(faults))
  const fault = faults.find(({ id }) => id === wanted)
  if (fault) return reply(200, toFault(fault), [{ kind: 'fault-end', fault_id: fault.id }])
  const remedy = { hint: 'list them', command: 'faults' }
  throw new ApiError('not-found', { field: 'id', message: `Cannot find fault "${path.id}"`, ...remedy })
}

export function toFault({ match, settings, created_at, ...fault }: FaultState): Fault {
  return { ...fault, match: { ...match }, settings: { ...settings }, created_at: timestamp(created_at) }
}
