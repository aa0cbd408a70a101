import { sizeOf, type Share } from './plan.ts'

/** How the notifications of one object or payment lie among all: in places of the schedule. */
export interface Pace {
  /** So many places further on comes its next one. */
  readonly apart: number
  /** So many places before its own each is made: no more than half of the way to the one before it. */
  readonly ahead: number
}

/** How many notifications a load has, and how many a second at the most. */
export interface LoadSize {
  readonly count: number
  readonly rate: number
}

/** What takes longer to make is not late then. */
const AHEAD_S = 0.5
const [LEAST_AHEAD, MOST_AHEAD] = [16, 2_000]
/** Of an object that changes by itself, so many states are to fit in. */
const STATES = 3

/**
 * The service is moved on when a notification is made. A receiver that asks back about the one before has half the way until then: as
 * long as it is made ahead, which is half a second at the highest rate. A load too short for that has what it is made of as far apart
 * as it has room for.
 */
export function paceOf(shares: readonly Share[], { count, rate }: LoadSize): Pace {
  const wanted = Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, Math.ceil(rate * AHEAD_S)))
  const size = Math.max(...shares.map((share) => (share.kind === 'object' ? STATES : sizeOf(share))))
  // Payments that begin together end together: whole rounds of them leave few places.
  const rounds = Math.max(1, Math.floor(count / (size * 2 * wanted)))
  const apart = Math.max(1, Math.floor(count / (size * rounds)))
  return { apart, ahead: Math.min(wanted, Math.floor(apart / 2)) }
}
