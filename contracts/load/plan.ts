import type { NotifiedType } from '../../spec/notifications.ts'
import type { Branch } from '../toolkit/branches.ts'

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

export interface PlanOptions {
  /** How many places the schedule has. */
  readonly count: number
  /** How many places lie at least between two notifications of a payment, as long as there is something else to send. */
  readonly spacing: number
}

interface BegunPayment {
  readonly payment: number
  readonly branch: Branch
  part: number
  /** The first place that its next part may take. */
  from: number
}

/**
 * What each place of the schedule notifies of. Every payment that begins is notified to its end: none begins for which there is not
 * room any more, and a few places may be left at the end.
 */
export function* planNotifications(
  shares: readonly Share[],
  { count, spacing }: PlanOptions,
): Generator<PlannedNotification, void> {
  const draw = createDraw(shares)
  const begun: BegunPayment[] = []
  let [payments, owed] = [0, 0]
  for (let place = 0; place < count; place++) {
    const room = count - place - owed
    const [next] = begun
    const isTurn = next !== undefined && (next.from <= place || room === 0)
    const share = isTurn ? undefined : draw((each) => sizeOf(each) <= room)
    if (share?.kind === 'object') {
      yield { kind: 'object', type: share.type }
      continue
    }
    const current = share ? { payment: payments++, branch: share.branch, part: 0, from: 0 } : begun.shift()
    if (!current) return
    const { payment, branch, part } = current
    yield { kind: 'payment', payment, branch, part }
    owed += share ? sizeOf(share) - 1 : -1
    current.part++
    current.from = place + 1 + spacing
    if (current.part < branch.parts.length) begun.push(current)
  }
}

function sizeOf(share: Share): number {
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
