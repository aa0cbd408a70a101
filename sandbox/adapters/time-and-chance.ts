import type { Ports } from '../ports.ts'
import type { Log } from '../state/log.ts'
import { createClock } from './clock.ts'
import { seeded, unpredictable } from './random.ts'
import { realTime } from './real-time.ts'

export interface Pace {
  /** Sandbox seconds per real second; 1 follows real time, 0 moves only by hand. */
  readonly speed: number
  readonly seed?: number | undefined
}

/** With a seed and a manual clock a run begins here, so that it can be repeated. Reading: clocks */
const SEEDED_START = Date.parse('2026-01-01T00:00:00.000Z')

/**
 * The clock and the random numbers of a run on this log. The clock goes on from the log's last entry and never goes back;
 * a seed gives the same ids again, but none that the log already has. Throws RangeError for a speed that is none.
 * Reading: clocks
 */
export function timeAndChance({ speed, seed }: Pace, log: Log): Omit<Ports, 'transport'> {
  if (!(speed >= 0 && speed <= FASTEST)) {
    throw new RangeError(`Cannot run at speed "${speed}": it takes a number from 0 (by hand) to ${FASTEST}`)
  }
  let latestAt = 0
  for (const { at } of log.heads()) latestAt = Math.max(latestAt, at)
  const origin = () => ({
    at: seed !== undefined && speed === 0 ? SEEDED_START : realTime.now(),
    speed,
    chance: seed ?? null,
  })
  const startAt = speed === 1 ? Math.max(realTime.now(), latestAt) : latestAt || origin().at
  const random = seed === undefined ? unpredictable() : seeded(seed + log.length * 7_919)
  return { clock: createClock(realTime, { startAt, speed }), realTime, random, origin }
}

/** The fastest that a compressed clock may run: a real second is eleven days. */
export const FASTEST = 1_000_000
