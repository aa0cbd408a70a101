/** The shapes of a load: how the rate changes over time. The full rate is the requested rate. */
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

const BURSTS = 6
/** The low-rate share of each burst period. */
const QUIET_TIME = 0.8
const QUIET_RATE = 0.25
const WAVES = 3

/** The rate at each point of the load, as a share of the maximum rate. Point and share both range from 0 to 1. */
const RATES: { readonly [Each in Shape]: (place: number) => number } = {
  steady: () => 1,
  ramp: (place) => place,
  burst: (place) => ((place * BURSTS) % 1 < QUIET_TIME ? QUIET_RATE : 1),
  sine: (place) => (1 - Math.cos(2 * Math.PI * WAVES * place)) / 2,
}

/** The number of steps, each with a constant rate. Bursts start and end at step boundaries. */
const STEPS = 30_000

/** Plans the due times, which do not depend on responses. */
export function createSchedule({ shape, rate, durationMs }: ScheduleOptions) {
  const stepMs = durationMs / STEPS
  const atFullRate = (rate * stepMs) / 1_000
  const inSteps = Array.from({ length: STEPS }, (_, step) => RATES[shape]((step + 0.5) / STEPS) * atFullRate)
  const whole = inSteps.reduce((sum, inStep) => sum + inStep, 0)
  // Excludes a notification that is due exactly at the end of the load. The constant 1e-6 absorbs rounding errors.
  const count = Math.max(1, Math.ceil(whole - 1e-6))
  return {
    durationMs,
    count,
    /** Yields the due times in milliseconds since the start, in ascending order. */
    *dueTimes() {
      let [index, before] = [0, 0]
      for (const [step, inStep] of inSteps.entries()) {
        for (; index < count && index < before + inStep; index++)
          yield (step + (index - before) / inStep) * stepMs
        before += inStep
      }
    },
  }
}

export type Schedule = ReturnType<typeof createSchedule>
