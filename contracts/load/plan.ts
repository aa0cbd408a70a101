import type { Branch } from '../toolkit/branches.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

/** An object that changes, or a payment, and its relative frequency in a load. */
export type Share = Content & { readonly weight: number }

type Content = { readonly kind: 'object'; readonly type: NotifiedType } | PaymentContent

interface PaymentContent {
  readonly kind: 'payment'
  readonly branch: Branch
}

/** A notification of a payment. */
export interface PlannedPart extends PaymentContent {
  /** The number of the payment, counted from 0. */
  readonly payment: number
  /** The index of the notification among the payment's notifications. */
  readonly part: number
}

/** The content of one position in the schedule. */
export type PlannedNotification = Exclude<Content, PaymentContent> | PlannedPart

/** Returns the type or the branch that distinguishes the notifications of a share. */
export function subjectOf(content: Content): NotifiedType | Branch {
  return content.kind === 'object' ? content.type : content.branch
}

interface PlanOptions {
  readonly count: number
  /** The distance between the notifications of a payment, in places of the schedule. */
  readonly apart: number
}

/** A payment in progress, and the place of its next part in the schedule. */
interface BegunPayment {
  readonly next: PlannedPart
  readonly place: number
}

/**
 * Yields the notification of each place of the schedule, or null for an empty place. Every payment that
 * begins also ends, so the last places can be empty.
 */
export function* planNotifications(
  shares: readonly Share[],
  { count, apart }: PlanOptions,
): Generator<PlannedNotification | null, void> {
  const draw = createDraw(shares)
  // The payments in progress, in the order of their next positions. Two payments never have the same next position.
  const begun: BegunPayment[] = []
  let payments = 0
  for (let place = 0; place < count; place++) {
    const isTurn = begun[0]?.place === place
    const share = isTurn ? undefined : draw((each) => place + (sizeOf(each) - 1) * apart < count)
    if (share?.kind === 'object') {
      yield share
      continue
    }
    if (!isTurn && !share && begun.length > 0) {
      yield null
      continue
    }
    const current = share ? { ...share, payment: payments++, part: 0 } : begun.shift()?.next
    if (!current) return
    yield current
    const next = { ...current, part: current.part + 1 }
    if (next.part < next.branch.parts.length) begun.push({ next, place: place + apart })
  }
}

/** Returns the shares that start at least once. */
export function findBegun(shares: readonly Share[], options: PlanOptions): readonly Share[] {
  const begun = new Set<NotifiedType | Branch>()
  for (const planned of planNotifications(shares, options)) {
    if (planned) begun.add(subjectOf(planned))
    if (begun.size === shares.length) break
  }
  return shares.filter((share) => begun.has(subjectOf(share)))
}

export function sizeOf(share: Share): number {
  return share.kind === 'object' ? 1 : share.branch.parts.length
}

/**
 * Returns a function that chooses the next share, so that turns are evenly distributed by weight. For example, weights 3 and 1
 * give a, a, b, a. The function skips shares that do not fit.
 */
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

/** Distances in places of the schedule. */
export interface LoadPace {
  /** The distance between two notifications of one object or payment. */
  readonly apart: number
  /** The distance by which a notification is created early, which is at most half of `apart`. */
  readonly ahead: number
}

/** The total number of notifications, and their maximum number in a second. */
export interface LoadSize {
  readonly count: number
  readonly rate: number
}

/** The lead time in seconds. Longer lead times have no advantage. */
const AHEAD_S = 0.5
const [MIN_AHEAD, MAX_AHEAD] = [16, 2_000]
/** The minimum number of states of each changing object. */
const STATES = 3

/**
 * Returns the pace of a load. The service changes an object when a message is made, which is before the message is due. So a
 * receiver has at least half the distance to ask about the object before its state changes. Short loads use the largest distance
 * that fits.
 */
export function planLoadPace(shares: readonly Share[], { count, rate }: LoadSize): LoadPace {
  const wanted = Math.min(MAX_AHEAD, Math.max(MIN_AHEAD, Math.ceil(rate * AHEAD_S)))
  const size = Math.max(...shares.map((share) => (share.kind === 'object' ? STATES : sizeOf(share))))
  // Payments that start together also end together. Complete rounds leave few empty positions.
  const rounds = Math.max(1, Math.floor(count / (size * 2 * wanted)))
  const apart = Math.max(1, Math.floor(count / (size * rounds)))
  return { apart, ahead: Math.min(wanted, Math.floor(apart / 2)) }
}
