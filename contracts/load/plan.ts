import type { Branch } from '../toolkit/branches.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

/** What begins, and how often beside the others: an object that changes by itself, or a payment with all its notifications. */
export type Share = { readonly weight: number } & (
  | { readonly kind: 'object'; readonly type: NotifiedType }
  | { readonly kind: 'payment'; readonly branch: Branch }
)

/** What one place of the schedule notifies of. */
export type PlannedNotification =
  | { readonly kind: 'object'; readonly type: NotifiedType }
  | {
      readonly kind: 'payment'
      /** Which payment, counted from 0. */
      readonly payment: number
      readonly branch: Branch
      /** The place among the parts of the branch. */
      readonly part: number
    }

interface PlanOptions {
  /** How many places the schedule has. */
  readonly count: number
  /** How many places further on the next notification of a payment comes. */
  readonly apart: number
}

interface BegunPayment {
  readonly payment: number
  readonly branch: Branch
  part: number
  /** The place of its next part. */
  place: number
}

/**
 * What each place of the schedule notifies of; null for nothing. Every payment that begins is notified to its end: none begins for
 * which there is not room any more, and in the last places there may be nothing else to send.
 */
export function* planNotifications(
  shares: readonly Share[],
  { count, apart }: PlanOptions,
): Generator<PlannedNotification | null, void> {
  const draw = createDraw(shares)
  // In the order of their places, of which no two are the same: each that is under way was given one for a place of its own.
  const begun: BegunPayment[] = []
  let payments = 0
  for (let place = 0; place < count; place++) {
    const isTurn = begun[0]?.place === place
    const share = isTurn ? undefined : draw((each) => place + (sizeOf(each) - 1) * apart < count)
    if (share?.kind === 'object') {
      yield { kind: 'object', type: share.type }
      continue
    }
    if (!isTurn && !share) {
      if (begun.length === 0) return
      yield null
      continue
    }
    const current = share ? { payment: payments++, branch: share.branch, part: 0, place } : begun.shift()
    if (!current) return
    const { payment, branch, part } = current
    yield { kind: 'payment', payment, branch, part }
    current.part++
    current.place = place + apart
    if (current.part < branch.parts.length) begun.push(current)
  }
}

/** The shares of which at least one begins. */
export function findBegun(shares: readonly Share[], options: PlanOptions): ReadonlySet<Share> {
  const begun = new Set<Share>()
  for (const planned of planNotifications(shares, options)) {
    for (const share of shares) if (planned && isOf(share, planned)) begun.add(share)
    if (begun.size === shares.length) break
  }
  return begun
}

function isOf(share: Share, planned: PlannedNotification): boolean {
  return share.kind === 'object'
    ? planned.kind === 'object' && share.type === planned.type
    : planned.kind === 'payment' && share.branch === planned.branch
}

/** How many notifications it brings. */
export function sizeOf(share: Share): number {
  return share.kind === 'object' ? 1 : share.branch.parts.length
}

/** Takes turns as the weights say, as evenly as they allow: 3 and 1 come as a, a, b, a. Only what fits takes part. */
function createDraw(shares: readonly Share[]): (fits: (share: Share) => boolean) => Share | undefined {
  const entries = shares.map((share) => ({ share, credit: 0 }))
  return (fits) => {
    const able = entries.filter(({ share }) => fits(share))
    const [first] = able
    if (!first) return undefined
    let [best, sum] = [first, 0]
    for (const entry of able) {
      entry.credit += entry.share.weight
      sum += entry.share.weight
      if (entry.credit > best.credit) best = entry
    }
    best.credit -= sum
    return best.share
  }
}

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
