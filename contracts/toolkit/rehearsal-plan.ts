import type { RehearsalDelivery, RehearsalRequest } from '../../spec/generated/control-types.ts'
import { callbackTypes } from '../../spec/delivery.ts'
import {
  isPaymentKind,
  numberNotifications,
  paymentForms,
  paymentKinds,
  paymentOutcomes,
  type PaymentKind,
} from '../../spec/payments.ts'
import { correctSpelling, didYouMean } from '../../spec/nearest.ts'
import { UsageError } from '../../sandbox/internal.ts'
import { branchesOfKind, describeObstacle, type Branch, type BranchContext } from './branches.ts'
import type { Rehearsal } from './scenario.ts'

/** The request for a rehearsal, without `shrink`. The caller decides whether to search for a shorter failing order. */
export interface RehearsalWish extends Omit<RehearsalRequest, 'shrink' | 'deliveries'> {
  readonly deliveries?: readonly RehearsalDelivery[]
}

export interface RehearsalPlan {
  readonly rehearsal: Rehearsal
  /** The reason why effects cannot be judged in a rehearsal of this payment. Undefined if effects can be judged. */
  readonly obstacle: string | undefined
}

/** Throws UsageError if this receiver cannot be notified of the payment. */
export function planRehearsal(request: RehearsalWish, context: BranchContext): RehearsalPlan {
  const kind = parseKind(request.kind)
  const branch = findBranch(kind, request.outcome, context)
  const { via, amount, pace = 'stepwise' } = request
  if (via !== undefined && !paymentForms(kind).includes(via)) refuseForm(kind, via)
  if (branch.parts.length === 0) {
    const all = numberNotifications(kind, branch.outcome)
    const types = new Set(all.map(({ notification }) => notification.object))
    throw new UsageError(
      `Cannot rehearse ${kind}: your receiver has no URL for the notified types ${[...types].join(', ')}`,
    )
  }
  const deliveries = request.deliveries ?? branch.parts.map(({ number }) => ({ number }))
  if (deliveries.length === 0)
    throw new UsageError('Cannot rehearse an empty order: name at least one notification')
  return {
    rehearsal: {
      branch,
      payment: { ...(via !== undefined && { via }), ...(amount !== undefined && { amount }) },
      deliveries: deliveries.map((delivery, index) => planDelivery(delivery, index, { branch, context })),
      rests: pace === 'stepwise',
    },
    obstacle: context.profile.unused.includes(kind)
      ? `your platform does not use ${kind}, according to "consequences"`
      : describeObstacle(context, kind),
  }
}

/** Throws UsageError with a suggestion if the kind is unknown. */
export function parseKind(kind: string): PaymentKind {
  if (isPaymentKind(kind)) return kind
  const meant = correctSpelling(kind, paymentKinds)
  const remedy = meant === undefined ? `The kinds are ${paymentKinds.join(', ')}` : `Did you mean "${meant}"?`
  throw new UsageError(`Cannot play "${kind}": unknown kind of payment. ${remedy}`)
}

function findBranch(kind: PaymentKind, given: string | undefined, context: BranchContext): Branch {
  const outcomes = paymentOutcomes(kind)
  const branch = branchesOfKind(context, kind).find(({ outcome }) => outcome === (given ?? outcomes[0]))
  if (branch) return branch
  throw new UsageError(
    `Cannot rehearse ${kind} with outcome "${given}": the outcome must be ${outcomes.join(' or ')}${didYouMean(given ?? '', outcomes)}`,
  )
}

function refuseForm(kind: PaymentKind, via: string): never {
  const forms = paymentForms(kind)
  const remedy =
    forms.length === 0 ? 'omit --via' : `its routes are ${forms.join(', ')}${didYouMean(via, forms)}`
  throw new UsageError(`Cannot rehearse ${kind} via "${via}": ${remedy}`)
}

function planDelivery(
  delivery: RehearsalDelivery,
  index: number,
  { branch, context }: { readonly branch: Branch; readonly context: BranchContext },
): RehearsalDelivery {
  const { number, callback } = delivery
  const part = branch.parts.find((each) => each.number === number)
  if (!part) refuseNumber(number, branch)
  if (callback === true && !context.receiver.types('callbacks').includes(part.type)) {
    const isCallback = callbackTypes('current').some((type) => type === part.type)
    const remedy = isCallback
      ? 'your receiver has no URL for callbacks of that type'
      : 'the service has no callbacks of that type'
    throw new UsageError(`Cannot send @${index + 1}, ${part.type} ${part.state}, as a callback: ${remedy}`)
  }
  return { number, ...Object.fromEntries(marksOf(delivery).map((mark) => [mark, true] as const)) }
}

function refuseNumber(number: number, { kind, outcome }: Branch): never {
  const known = numberNotifications(kind, outcome)
  const found = known.find((each) => each.number === number)
  if (!found) {
    throw new UsageError(
      `Cannot send notification ${number}: ${kind} has only the notifications 1 to ${known.length}. "npx hookbench play ${kind} --dry" lists them`,
    )
  }
  const { object, state, only = {} } = found.notification
  const name = `${number}, ${object} ${state}`
  const readings = Object.entries(only).map(([id, option]) => `${id}=${option}`)
  throw new UsageError(
    `Cannot send notification ${name}: ${readings.length > 0 ? `the service sends it only with ${readings.join(' and ')}` : `your receiver has no URL for ${object}`}`,
  )
}

/** The marks for unusual deliveries. */
export const DELIVERY_MARKS = ['lose', 'break_answer', 'late', 'callback'] as const

export type DeliveryMark = (typeof DELIVERY_MARKS)[number]

export const MARK_OPTIONS: { readonly [Mark in DeliveryMark]: string } = {
  lose: '--lose',
  break_answer: '--break-answer',
  late: '--late',
  callback: '--callback',
}

const MARK_WORDS: { readonly [Mark in DeliveryMark]: string } = {
  lose: 'lost',
  break_answer: 'with a lost answer',
  late: 'a day late',
  callback: 'also as a callback',
}

/** Describes the deliveries in order, such as "transactions successful, then items pending (lost)". */
export function describeDeliveries(
  deliveries: readonly RehearsalDelivery[],
  { parts }: Pick<Branch, 'parts'>,
): string {
  return deliveries
    .map((delivery) => {
      const part = parts.find(({ number }) => number === delivery.number)
      const words = marksOf(delivery).map((mark) => MARK_WORDS[mark])
      return `${part?.type} ${part?.state}${words.length === 0 ? '' : ` (${words.join(', ')})`}`
    })
    .join(', then ')
}

/** Returns the command-line options for an order, such as `--order 2,1,1 --lose @2`. */
export function formatOrder(deliveries: readonly RehearsalDelivery[]): string {
  const order = deliveries.map(({ number }) => number).join()
  const marks = DELIVERY_MARKS.flatMap((mark) => {
    const places = deliveries.flatMap((delivery, index) => (delivery[mark] === true ? [`@${index + 1}`] : []))
    return places.length === 0 ? [] : [`${MARK_OPTIONS[mark]} ${places.join()}`]
  })
  return [`--order ${order}`, ...marks].join(' ')
}

function marksOf(delivery: RehearsalDelivery): readonly DeliveryMark[] {
  return DELIVERY_MARKS.filter((mark) => delivery[mark] === true)
}

export function withoutOneMark(delivery: RehearsalDelivery): readonly RehearsalDelivery[] {
  return marksOf(delivery).map((mark) => {
    const { [mark]: _, ...rest } = delivery
    return rest
  })
}
