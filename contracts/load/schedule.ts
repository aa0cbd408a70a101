/** The rate over time. The requested rate is the maximum. */
export const SHAPES = {
  steady: 'at the full rate all the time',
  ramp: 'from zero to the full rate',
  burst: 'at a quarter of the rate, with six bursts at the full rate',
  sine: 'from zero to the full rate and back, three times',
} as const

export type Shape = keyof typeof SHAPES

export interface ScheduleOptions {
  readonly shape: Shape
  /** The maximum number of notifications in a second. */
  readonly rate: number
  readonly durationMs: number
}

/** Plans the due times, which do not depend on responses. */
export function createSchedule({ shape, rate, durationMs }: ScheduleOptions) {
  const share = SHARE[shape]
  const whole = (rate * durationMs) / 1_000
  // A notification at the exact end of the load would be one too many. The constant 1e-6 absorbs rounding errors.
  const count = Math.max(1, Math.ceil(whole * share(1) - 1e-6))
  return {
    durationMs,
    count,
    /** Yields the due times in milliseconds since the start, in ascending order. */
    *dueTimes() {
      let place = 0
      for (let index = 0; index < count; index++) {
        place = inverse(share, index / whole, place)
        yield place * durationMs
      }
    },
  }
}

export type Schedule = ReturnType<typeof createSchedule>

const BURSTS = 6
/** The share of each burst period with a low rate. */
const QUIET_TIME = 0.8
const QUIET_RATE = 0.25
const WAVES = 3

/** The integral of each shape over the time from 0 to 1. */
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

/** The number of halvings of a search. The search finds a time within a day to a billionth of a second. */
const HALVINGS = 46

/** Returns the first place, not before `least`, at which the integral reaches `wanted`. */
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
