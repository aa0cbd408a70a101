/** What part of sandbox time is drawn, epoch milliseconds. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** Where an instant is drawn. */
export interface TimeScale extends TimeSpan {
  readonly width: number
  x(time: number): number
}

/** A line of the axis. */
export interface Tick {
  readonly x: number
  readonly label: string
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
const STEPS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map((count) => count * DAY),
]
const [SHORTEST, LONGEST] = [20, 1_000 * 365 * DAY]
const [TICK_WIDTH, MARGIN] = [96, 40]

export function createScale({ from, to }: TimeSpan, width: number): TimeScale {
  const perMs = width / (to - from)
  return { from, to, width, x: (time) => (time - from) * perMs }
}

/** The span that shows all these instants, with some room around them. */
export function fitSpan(times: Iterable<number>): TimeSpan | undefined {
  let [from, to] = [Infinity, -Infinity]
  for (const time of times) [from, to] = [Math.min(from, time), Math.max(to, time)]
  if (from > to) return undefined
  const room = Math.max((to - from) * 0.04, SECOND)
  return { from: from - room, to: to + room }
}

/** Nearer for a factor below 1, around the instant at this part of the width. */
export function zoomSpan({ from, to }: TimeSpan, factor: number, around: number): TimeSpan {
  const length = Math.min(LONGEST, Math.max(SHORTEST, (to - from) * factor))
  const fixed = from + (to - from) * around
  return { from: fixed - length * around, to: fixed + length * (1 - around) }
}

/** Further on by this part of the width. */
export function panSpan({ from, to }: TimeSpan, part: number): TimeSpan {
  const by = (to - from) * part
  return { from: from + by, to: to + by }
}

/** Round instants, as many as have room; each says as much of the instant as tells it from its neighbours. */
export function findTicks(scale: TimeScale): Tick[] {
  const wanted = ((scale.to - scale.from) * TICK_WIDTH) / Math.max(1, scale.width)
  const step = STEPS.find((each) => each >= wanted) ?? (STEPS.at(-1) ?? DAY) * 10
  const ticks: Tick[] = []
  for (let time = Math.ceil(scale.from / step) * step; time <= scale.to; time += step) {
    const x = scale.x(time)
    // A label that is cut off says nothing.
    if (x > MARGIN && x < scale.width - MARGIN) ticks.push({ x, label: tickLabel(time, step) })
  }
  return ticks
}

function tickLabel(time: number, step: number): string {
  const text = new Date(time).toISOString()
  if (step >= DAY) return text.slice(0, 10)
  if (step >= MINUTE) return time % DAY === 0 ? text.slice(0, 10) : text.slice(11, 16)
  return step >= SECOND ? text.slice(11, 19) : text.slice(14, 23)
}
