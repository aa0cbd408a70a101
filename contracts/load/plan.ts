import type { Branch } from '../toolkit/branches.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

interface PaymentContent {
  readonly kind: 'payment'
  readonly branch: Branch
}

type Content = { readonly kind: 'object'; readonly type: NotifiedType } | PaymentContent

/** One kind of load content: a changing object or a payment, with a relative frequency. */
export type Share = Content & { readonly weight: number }

export interface PlannedPart extends PaymentContent {
  /** The number of the payment, counted from 0. */
  readonly payment: number
  /** The index of the notification among the payment's notifications. */
  readonly part: number
}

/** The notification at one position of the schedule. */
export type PlannedNotification = Exclude<Content, PaymentContent> | PlannedPart

/** Returns the object type of an object share, or the branch of a payment share. */
export function subjectOf(content: Content): NotifiedType | Branch {
  return content.kind === 'object' ? content.type : content.branch
}

export function sizeOf(share: Share): number {
  return share.kind === 'object' ? 1 : share.branch.parts.length
}

/**
 * Yields the notification for each position in the schedule, or null for an empty position. Every payment must end within the
 * schedule, so the last positions can be empty.
 */
export function* planNotifications(
  shares: readonly Share[],
  { count, apart }: { readonly count: number; readonly apart: number },
): Generator<PlannedNotification | null, void> {
  const draw = createDraw(shares)
  // The next notification of each payment in progress, by its position in the schedule. No two payments have their next
  // notification at the same position.
  const begun = new Map<number, PlannedPart>()
  let payments = 0
  for (let place = 0; place < count; place++) {
    const part = begun.get(place)
    const share = part ? undefined : draw((each) => place + (sizeOf(each) - 1) * apart < count)
    if (share?.kind === 'object') {
      yield share
      continue
    }
    const current = part ?? (share && { ...share, payment: payments++, part: 0 })
    if (!current && begun.size === 0) return
    yield current ?? null
    begun.delete(place)
    if (current && current.part + 1 < current.branch.parts.length)
      begun.set(place + apart, { ...current, part: current.part + 1 })
  }
}

/** Returns a function that picks shares in proportion to their weights. The weights 3 for `a` and 1 for `b` give a, a, b, a. */
function createDraw(shares: readonly Share[]): (fits: (share: Share) => boolean) => Share | undefined {
  const entries = shares.map((share) => ({ share, credit: 0 }))
  return (fits) => {
    const able = entries.filter(({ share }) => fits(share))
    for (const entry of able) entry.credit += entry.share.weight
    const [best] = able.toSorted((one, other) => other.credit - one.credit)
    if (best) best.credit -= able.reduce((sum, { share }) => sum + share.weight, 0)
    return best?.share
  }
}

/** The total number of notifications, and the maximum number per second. */
export interface LoadSize {
  readonly count: number
  readonly rate: number
}

/** The time, in seconds, between the creation of a notification and its due time. A longer time has no advantage. */
const AHEAD_S = 0.5
const [MIN_AHEAD, MAX_AHEAD] = [16, 2_000]
/** The minimum number of states of each changing object. */
const STATES = 3

/**
 * Returns two distances, measured in positions of the schedule. `ahead` is at most half of `apart`, so that a receiver can call
 * back before the object changes again.
 */
export function planLoadPace(shares: readonly Share[], { count, rate }: LoadSize) {
  const wanted = Math.min(MAX_AHEAD, Math.max(MIN_AHEAD, Math.ceil(rate * AHEAD_S)))
  const size = Math.max(...shares.map((share) => (share.kind === 'object' ? STATES : sizeOf(share))))
  // Payments in one round start and end together. Whole rounds leave few empty positions at the end of the schedule.
  const rounds = Math.max(1, Math.floor(count / (size * 2 * wanted)))
  const apart = Math.max(1, Math.floor(count / (size * rounds)))
  return { apart, ahead: Math.min(wanted, Math.floor(apart / 2)) }
}
