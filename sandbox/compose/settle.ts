import type { Waiting } from '../../spec/generated/control-types.ts'
import type { Gates } from '../engine/faults/gates.ts'
import type { Scheduler } from './scheduler.ts'
import type { RealTime } from '../engine/core/ports.ts'

export interface SettlePorts {
  readonly scheduler: () => Pick<Scheduler, 'idle' | 'waitingFor'>
  readonly gates: Pick<Gates, 'changed'>
  readonly realTime: RealTime
}

/** How often it looks again while an attempt does not show yet: what ends a lag is time alone. */
const LAG_MS = 20

/**
 * Waits until nothing is due now, under way, held back by a fault or lagging, for `timeoutMs` of real time at most; returns what
 * is still waited for then, or nothing. Reading: job-recording-lag
 */
export async function settle(timeoutMs: number, ports: SettlePorts): Promise<readonly Waiting[]> {
  const { scheduler, gates, realTime } = ports
  const late = Promise.withResolvers<'late'>()
  const cancel = realTime.after(timeoutMs, () => late.resolve('late'))
  try {
    for (;;) {
      const ended = await Promise.race([scheduler().idle(), late.promise])
      const waiting = scheduler().waitingFor()
      if (ended === 'late' || waiting.length === 0) return waiting
      const soon = Promise.withResolvers<void>()
      const cancelSoon = realTime.after(LAG_MS, () => soon.resolve())
      await Promise.race([gates.changed(), soon.promise, late.promise])
      cancelSoon()
    }
  } finally {
    cancel()
  }
}
