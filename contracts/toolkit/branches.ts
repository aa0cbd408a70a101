import {
  isNotified,
  numberNotifications,
  paymentOutcomes,
  paymentKinds,
  type PaymentNotification,
  type PaymentKind,
} from '../../spec/payments.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import type { CheckContext } from './check-context.ts'
import { consequenceOf, describeUnreachable, isAboutConsequence } from './consequences.ts'

/** A kind of payment with one outcome, such as a successful card pay-in. */
export interface Branch {
  readonly kind: PaymentKind
  readonly outcome: string
  /** The notifications of the payment, in the order of the service's document. Omits types for which the receiver has no URL. */
  readonly parts: readonly Part[]
  /** The index of the notification that a platform acts on. Undefined if the outcome has no effect. */
  readonly deciding: number | undefined
  readonly effects: 0 | 1
}

export interface Part {
  /** The number of the notification in the list that `play --dry` prints, counted from 1. */
  readonly number: number
  readonly type: NotifiedType
  readonly state: string
  /** The step of the payment, counted from 0. The service sends all notifications of one step at the same time. */
  readonly step: number
  /** True if the payment has no later notification about the same object. */
  readonly isLast: boolean
}

/** The payments that a check can judge, and a description of the excluded payments. */
export interface Branches {
  readonly branches: readonly Branch[]
  readonly unobserved: string | undefined
}

/** The payment outcomes to select. `good` selects outcomes with an effect, and `bad` selects outcomes without an effect. */
export type OutcomeChoice = 'all' | 'good' | 'bad'

/** Selects the payments that a check can judge. `kinds` defaults to all kinds of payments. */
export function selectBranches(
  context: BranchContext,
  choice: OutcomeChoice,
  kinds: readonly PaymentKind[] = paymentKinds,
): Branches {
  const branches: Branch[] = []
  const left: string[] = []
  for (const kind of kinds.filter((each) => !context.profile.unused.includes(each))) {
    const obstacle = describeObstacle(context, kind)
    if (obstacle !== undefined) left.push(`${kind} (${obstacle})`)
    else branches.push(...branchesOfKind(context, kind).filter((branch) => isChosen(branch, choice)))
  }
  return { branches, unobserved: left.length === 0 ? undefined : `Not played: ${left.join(', ')}` }
}

export type BranchContext = Pick<CheckContext, 'receiver'> & {
  readonly profile: Pick<CheckContext['profile'], 'readings' | 'consequences' | 'unused'>
  readonly calls: Pick<CheckContext['calls'], 'observable'>
}

export function onePerType(branches: readonly Branch[]): readonly Branch[] {
  const seen = new Set<string>()
  return branches.filter(({ parts, deciding, outcome }) => {
    const { type } = parts[deciding ?? parts.length - 1] ?? {}
    const key = `${type} ${outcome}`
    return seen.has(key) ? false : Boolean(seen.add(key))
  })
}

export function earlyPlaces({ parts, deciding }: Pick<Branch, 'parts' | 'deciding'>): readonly number[] {
  const end = deciding === undefined ? undefined : parts[deciding]?.step
  return [...parts.keys()].filter((index) => (parts[index]?.step ?? 0) < (end ?? 0))
}

/** Returns the index of the last notification about each object. */
export function finalPlaces({ parts }: Pick<Branch, 'parts'>): readonly number[] {
  return [...parts.keys()].filter((index) => parts[index]?.isLast)
}

export function describeObstacle(
  { receiver, calls, profile: { consequences } }: BranchContext,
  kind: PaymentKind,
): string | undefined {
  const consequence = consequenceOf(kind, consequences)
  const unreachable = describeUnreachable(kind, consequence)
  if (unreachable !== undefined) return unreachable
  if (!receiver.types().includes(consequence.object))
    return `the receiver has no URL for ${consequence.object}`
  // The notification of a virtual account does not contain the account's status. Source: §6.3
  const isBlind = consequence.object === 'virtual_accounts' && !calls.observable
  return isBlind ? 'the receiver does not call the service' : undefined
}

function isChosen({ deciding }: Branch, choice: OutcomeChoice): boolean {
  return choice === 'all' || (deciding !== undefined) === (choice === 'good')
}

/** Returns one branch for each outcome of this payment kind, including outcomes that cannot be observed. */
export function branchesOfKind(context: BranchContext, kind: PaymentKind): readonly Branch[] {
  const consequence = consequenceOf(kind, context.profile.consequences)
  return paymentOutcomes(kind).map((outcome) => {
    const notifications = listNotifications(context, kind, outcome)
    const place = notifications.findIndex(
      (each) => each.state === consequence.state && isAboutConsequence(each, consequence),
    )
    return {
      kind,
      outcome,
      parts: notifications.map((each, index) => toPart(each, notifications.slice(index + 1))),
      deciding: place < 0 ? undefined : place,
      effects: place < 0 ? 0 : 1,
    }
  })
}

type Stepped = PaymentNotification & Pick<Part, 'number' | 'step'>

function listNotifications(
  { receiver, profile: { readings } }: BranchContext,
  kind: PaymentKind,
  outcome: string,
): readonly Stepped[] {
  const registered = receiver.types()
  return numberNotifications(kind, outcome)
    .filter(({ notification: each }) => isNotified(each, readings) && registered.includes(each.object))
    .map(({ notification, ...place }) => ({ ...notification, ...place }))
}

function toPart({ number, object, state, step, ...kind }: Stepped, later: readonly Stepped[]): Part {
  const isLast = !later.some((each) => isAboutConsequence(each, { object, state, ...kind }))
  return { number, type: object, state, step, isLast }
}
