import type { Waiting } from '../../spec/generated/control-types.ts'
import type { Holds } from '../engine/faults/holds.ts'
import type { Motion } from './scheduler.ts'
import type { RealTime } from '../engine/core/ports.ts'

export interface SettlePorts {
  readonly motion: () => Pick<Motion, 'idle' | 'waitingFor'>
  readonly holds: Pick<Holds, 'changed'>
  readonly realTime: RealTime
}

/** How often it looks again while an attempt does not show yet: what ends a lag is time alone. */
const LAG_MS = 20

/**
 * Waits until nothing is due now, under way, held back by a fault or lagging, for `timeoutMs` of real time at most; tells what
 * is still waited for then, or nothing. Reading: job-recording-lag
 */
export async function settle(timeoutMs: number, ports: SettlePorts): Promise<readonly Waiting[]> {
  const { motion, holds, realTime } = ports
  const late = Promise.withResolvers<'late'>()
  const cancel = realTime.after(timeoutMs, () => late.resolve('late'))
  try {
    for (;;) {
      const ended = await Promise.race([motion().idle(), late.promise])
      const waiting = motion().waitingFor()
      if (ended === 'late' || waiting.length === 0) return waiting
      const soon = Promise.withResolvers<void>()
      const cancelSoon = realTime.after(LAG_MS, () => soon.resolve())
      await Promise.race([holds.changed(), soon.promise, late.promise])
      cancelSoon()
    }
  } finally {
    cancel()
  }
}
