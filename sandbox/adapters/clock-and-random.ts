import { randomFillSync } from 'node:crypto'
import { FASTEST, type Ports, type Random } from '../engine/core/ports.ts'
import type { Store } from '../engine/state/store.ts'
import { createClock } from './clock.ts'
import { createSeededRandom } from '../engine/core/random.ts'
import { realTime } from './real-time.ts'

export interface ClockSeedOptions {
  /** Sandbox seconds per real second. 1 is real time. 0 is a manual clock. Defaults to the last stored speed, then to `firstSpeed`. */
  readonly speed?: number | undefined
  readonly firstSpeed?: number | undefined
  readonly seed?: number | undefined
}

/** The start time of a manual clock with a seed, fixed so that runs are reproducible. Reading: clocks */
const SEEDED_START = Date.parse('2026-01-01T00:00:00.000Z')

/** Creates a clock that continues from the last recorded time. Throws RangeError for a bad speed. Reading: clocks */
export function createClockAndRandom(
  { speed: given, firstSpeed = 1, seed }: ClockSeedOptions,
  store: Pick<Store, 'latestAt' | 'chosenSpeed' | 'length'>,
): Omit<Ports, 'transport'> {
  const [latestAt, setLast] = [store.latestAt(), store.chosenSpeed()]
  const speed = given ?? setLast ?? firstSpeed
  if (!(speed >= 0 && speed <= FASTEST)) {
    throw new RangeError(
      `Cannot run at speed "${speed}": the value must be a number from 0 (manual) to ${FASTEST}`,
    )
  }
  const origin = () => ({
    at: seed !== undefined && (given ?? firstSpeed) === 0 ? SEEDED_START : realTime.now(),
    speed: given ?? firstSpeed,
    chance: seed ?? null,
  })
  // At speed 1, the clock shows the real time. If the speed comes only from the store, the clock continues from the stored time.
  const isReal = speed === 1 && (given === 1 || setLast === undefined)
  const startAt = isReal ? Math.max(realTime.now(), latestAt) : latestAt || origin().at
  const random =
    seed === undefined ? createUnpredictableRandom() : createSeededRandom(seed + store.length * 7_919)
  return { clock: createClock(realTime, { startAt, speed }), realTime, random, origin }
}

function createUnpredictableRandom(): Random {
  let restored: Random | undefined
  // Gets many random numbers with one call, because a call for a single number takes the same time.
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
