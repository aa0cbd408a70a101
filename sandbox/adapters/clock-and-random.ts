import { randomFillSync } from 'node:crypto'
import { FASTEST, type Ports, type Random } from '../engine/core/ports.ts'
import type { Store } from '../engine/state/store.ts'
import { createClock } from './clock.ts'
import { createSeededRandom } from '../engine/core/random.ts'
import { realTime } from './real-time.ts'

export interface Pace {
  /**
   * Sandbox seconds per real second; 1 follows real time, 0 moves only by hand. If left out, as it was set in the store last,
   * or else 1.
   */
  readonly speed?: number | undefined
  /** In place of 1, then. */
  readonly firstSpeed?: number | undefined
  readonly seed?: number | undefined
}

/** With a seed and a manual clock a run begins here, so that it can be repeated. Reading: clocks */
const SEEDED_START = Date.parse('2026-01-01T00:00:00.000Z')

/**
 * The clock and the random numbers of a run on this store. The clock goes on from the latest time on record and never goes
 * back; a seed gives the same ids again, but none that the store already has. Throws RangeError for a speed that is out of range.
 * Reading: clocks
 */
export function createClockAndRandom(
  { speed: given, firstSpeed = 1, seed }: Pace,
  store: Pick<Store, 'latestAt' | 'chosenSpeed' | 'length'>,
): Omit<Ports, 'transport'> {
  const [latestAt, setLast] = [store.latestAt(), store.chosenSpeed()]
  const speed = given ?? setLast ?? firstSpeed
  if (!(speed >= 0 && speed <= FASTEST)) {
    throw new RangeError(`Cannot run at speed "${speed}": it takes a number from 0 (by hand) to ${FASTEST}`)
  }
  const origin = () => ({
    at: seed !== undefined && (given ?? firstSpeed) === 0 ? SEEDED_START : realTime.now(),
    speed: given ?? firstSpeed,
    chance: seed ?? null,
  })
  // Who says that it is real means that it shows real time.
  const isReal = speed === 1 && (given === 1 || setLast === undefined)
  const startAt = isReal ? Math.max(realTime.now(), latestAt) : latestAt || origin().at
  const random =
    seed === undefined ? createUnpredictableRandom() : createSeededRandom(seed + store.length * 7_919)
  return { clock: createClock(realTime, { startAt, speed }), realTime, random, origin }
}

/** Numbers that nobody can foretell, until a snapshot is put back whose numbers came from a seed. */
function createUnpredictableRandom(): Random {
  let restored: Random | undefined
  // Many at once: each call costs as much as filling a thousand of them.
  const drawn = new Uint32Array(1_024)
  let next = drawn.length
  function drawFresh(): number {
    if (next === drawn.length) {
      randomFillSync(drawn)
      next = 0
    }
    return (drawn[next++] ?? 0) / 2 ** 32
  }
  const draw = () => restored?.() ?? drawFresh()
  return Object.assign(draw, {
    state: () => restored?.state() ?? null,
    restore(earlier: number | null) {
      restored = earlier === null ? undefined : createSeededRandom(earlier)
    },
  })
}
