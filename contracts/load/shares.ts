import { planLoadPace, planNotifications, sizeOf, subjectOf, type LoadSize, type Share } from './plan.ts'
import { branchContext, receiverUrls } from '../run/receiver-urls.ts'
import { branchesOfKind, describeObstacle, type BranchContext } from '../toolkit/branches.ts'
import type { ReceiverUrls } from '../toolkit/check-context.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { UsageError } from '../../sandbox/internal.ts'
import type { Generation } from '../../spec/delivery.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import { paymentKinds, paymentOutcomes, type PaymentKind } from '../../spec/payments.ts'

export interface ShareWish {
  readonly weight: number
  readonly of:
    | { readonly type: NotifiedType }
    /** A payment. `outcome` defaults to the usual outcome. */
    | { readonly kind: PaymentKind; readonly outcome?: string | undefined }
}

/** Plans the load, by default one payment of each possible kind. Throws UsageError for a share that cannot be sent. */
export function planContent(
  options: Pick<RunOptions, 'receiver' | 'readings' | 'consequences'>,
  wishes: readonly ShareWish[],
  size: LoadSize,
) {
  const every = receiverUrls(options.receiver)
  const generation: Generation = every.types('webhooks').length > 0 ? 'webhooks' : 'callbacks'
  const urls: ReceiverUrls = {
    types: () => every.types(generation),
    url: (type) => every.url(type, generation),
  }
  const context = branchContext(options, urls)
  const wanted = wishes.length > 0 ? wishes.map((wish) => toShare(wish, context)) : defaultShares(context)
  if (wanted.length === 0)
    throw new UsageError('Cannot start the load: the configuration has no URL for any type')
  return { generation, urls, shares: selectBegun(wanted, size, wishes.length > 0) }
}

export type LoadContent = ReturnType<typeof planContent>

function toShare({ weight, of }: ShareWish, context: BranchContext): Share {
  if ('type' in of) {
    if (context.receiver.types().includes(of.type)) return { weight, kind: 'object', type: of.type }
    throw new UsageError(`Cannot send notifications of ${of.type}: your receiver has no URL for this type`)
  }
  const { kind, outcome = paymentOutcomes(kind)[0] } = of
  const obstacle = context.profile.unused.includes(kind)
    ? 'your configuration says that your platform does not use this kind of payment'
    : describeObstacle(context, kind)
  if (obstacle !== undefined) throw new UsageError(`Cannot send notifications of ${kind}: ${obstacle}`)
  const branch = branchesOfKind(context, kind).find((each) => each.outcome === outcome)
  if (branch) return { weight, kind: 'payment', branch }
  const outcomes = paymentOutcomes(kind).join(', ')
  throw new UsageError(`Cannot let ${kind} end in "${outcome}": the outcomes of ${kind} are ${outcomes}`)
}

function defaultShares(context: BranchContext): readonly Share[] {
  const kinds = paymentKinds.filter(
    (kind) => !context.profile.unused.includes(kind) && describeObstacle(context, kind) === undefined,
  )
  const payments = kinds.map((kind) => toShare({ weight: 1, of: { kind } }, context))
  if (payments.length > 0) return payments
  return context.receiver.types().map((type) => ({ weight: 1, kind: 'object', type }))
}

/** Returns a text such as `items=3, direct-debit-payin:failed_direct_debit=2`. */
export function describeShares(shares: readonly Share[]): string {
  return shares.map((share) => `${describeShare(share)}=${share.weight}`).join(', ')
}

function describeShare(share: Share): string {
  if (share.kind === 'object') return share.type
  const { kind, outcome } = share.branch
  return outcome === paymentOutcomes(kind)[0] ? kind : `${kind}:${outcome}`
}

function selectBegun(shares: readonly Share[], size: LoadSize, isAskedFor: boolean): readonly Share[] {
  const begun = new Set<ReturnType<typeof subjectOf>>()
  for (const planned of planNotifications(shares, { ...size, ...planLoadPace(shares, size) })) {
    if (planned) begun.add(subjectOf(planned))
    if (begun.size === shares.length) break
  }
  const missing = shares.find((share) => !begun.has(subjectOf(share)))
  if (!missing) return shares
  if (isAskedFor || begun.size === 0) throw new UsageError(describeMissing(missing, size))
  // Removing the missing shares changes the plan. Therefore, repeats the selection with the remaining shares.
  const rest = shares.filter((share) => begun.has(subjectOf(share)))
  return selectBegun(rest, size, isAskedFor)
}

function describeMissing(share: Share, { count }: LoadSize): string {
  const why =
    sizeOf(share) > count
      ? `the share takes ${sizeOf(share)} notifications, but the load has only ${count}`
      : `its weight is too small for a load of ${count} notifications`
  return `Cannot send ${describeShare(share)}: ${why}. Raise --rate or --for`
}
