/** How the rate changes over the time of a load; the rate that is asked for is the highest. */
export const SHAPES = {
  steady: 'always the rate',
  ramp: 'from nothing to the rate',
  burst: 'a quarter of the rate, and the rate itself in six bursts',
  sine: 'from nothing to the rate and back, three times',
} as const

export type Shape = keyof typeof SHAPES

/** When each notification is due, whatever became of those before it. */
export interface Schedule {
  readonly durationMs: number
  /** How many are due in all. */
  readonly count: number
  /** When each is due, in order: milliseconds since the start. */
  dueTimes(): Iterable<number>
}

export interface ScheduleOptions {
  readonly shape: Shape
  /** Notifications a second, at the most. */
  readonly rate: number
  readonly durationMs: number
}

export function createSchedule({ shape, rate, durationMs }: ScheduleOptions): Schedule {
  const share = SHARE[shape]
  const whole = (rate * durationMs) / 1_000
  // What is due at the very end is not part of it; the rest of the sum is what floating point leaves.
  const count = Math.max(1, Math.ceil(whole * share(1) - 1e-6))
  return {
    durationMs,
    count,
    *dueTimes() {
      let place = 0
      for (let index = 0; index < count; index++) {
        place = inverse(share, index / whole, place)
        yield place * durationMs
      }
    },
  }
}

const BURSTS = 6
/** Of the time between the beginnings of two bursts, and of the rate. */
const QUIET_TIME = 0.8
const QUIET_RATE = 0.25
const WAVES = 3

/**
 * What is due up to a place of the time, which goes from 0 to 1, as a share of what the rate would bring in the whole time: the
 * integral of the shape.
 */
const SHARE: { readonly [Each in Shape]: (place: number) => number } = {
  steady: (place) => place,
  ramp: (place) => place ** 2 / 2,
  burst(place) {
    const begun = Math.floor(place * BURSTS)
    const part = place * BURSTS - begun
    const whole = QUIET_RATE * QUIET_TIME + (1 - QUIET_TIME)
    const own = QUIET_RATE * Math.min(part, QUIET_TIME) + Math.max(0, part - QUIET_TIME)
    return (begun * whole + own) / BURSTS
  },
  sine(place) {
    const angle = 2 * Math.PI * WAVES
    return place / 2 - Math.sin(angle * place) / (2 * angle)
  },
}

/** Each halving makes it twice as exact: a run of a day is exact to a billionth of a second. */
const HALVINGS = 46

/** The first place, from `least` on, up to which so much is due. */
function inverse(share: (place: number) => number, wanted: number, least: number): number {
  let [low, high] = [least, 1]
  if (share(low) >= wanted) return low
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (share(middle) < wanted) low = middle
    else high = middle
  }
  return high
}
