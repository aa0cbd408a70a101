import type { Transport } from '../core/ports.ts'
import { alteredBody } from './delivery/altered-body.ts'
import { concurrentDuplicate } from './delivery/concurrent-duplicate.ts'
import { drop } from './delivery/drop.ts'
import { duplicate } from './delivery/duplicate.ts'
import { lostAnswer } from './delivery/lost-answer.ts'
import type { FaultState } from '../state/fault.ts'
import type { TransportFault } from './transport-fault.ts'

const TRANSPORT_FAULTS: ReadonlyMap<string, TransportFault> = new Map([
  ['duplicate', duplicate],
  ['concurrent-duplicate', concurrentDuplicate],
  ['drop', drop],
  ['lost-answer', lostAnswer],
  ['altered-body', alteredBody],
])

/** The transport with these faults around it, the first of them innermost. */
export function faulty(transport: Transport, faults: readonly FaultState[]): Transport {
  return faults.reduce(
    (inner, { kind, settings }) => TRANSPORT_FAULTS.get(kind)?.(inner, settings) ?? inner,
    transport,
  )
}
