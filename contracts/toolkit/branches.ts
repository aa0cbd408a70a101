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

/** A payment of one kind that comes to one outcome. */
export interface Branch {
  readonly kind: PaymentKind
  readonly outcome: string
  /** What the receiver is notified of it, in the document's order: of the types that it has a URL for. */
  readonly parts: readonly Part[]
  /** The place of the part that a platform acts on; undefined if it comes to an outcome that nobody acts on. */
  readonly deciding: number | undefined
  /** How often a platform acts on it in the end. */
  readonly effects: 0 | 1
}

/** One notification of a payment. */
export interface Part {
  /** Among all notifications of the payment, from 1, as `play --dry` lists them. */
  readonly number: number
  readonly type: NotifiedType
  readonly state: string
  /** Counted from 0; what has the same step comes together. */
  readonly step: number
  /** Whether no later one is about the same object. */
  readonly isLast: boolean
}

/** The payments that can be checked, and in words those that cannot. */
export interface Branches {
  readonly branches: readonly Branch[]
  readonly unobserved: string | undefined
}

/** `good` are the outcomes that a platform acts on. */
export type OutcomeChoice = 'all' | 'good' | 'bad'

/** The payments that this receiver can be notified of, and that its platform acts on; of every kind if none are given. */
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
  return { branches, unobserved: left.length === 0 ? undefined : `Left out: ${left.join(', ')}` }
}

/** What it takes to tell by which payments a receiver can be judged. */
export type BranchContext = Pick<CheckContext, 'receiver'> & {
  readonly profile: Pick<CheckContext['profile'], 'readings' | 'consequences' | 'unused'>
  readonly calls: Pick<CheckContext['calls'], 'observable'>
}

/** The first of these branches for each type of object that is acted on. */
export function onePerType(branches: readonly Branch[]): readonly Branch[] {
  const seen = new Set<string>()
  return branches.filter(({ parts, deciding, outcome }) => {
    const { type } = parts[deciding ?? parts.length - 1] ?? {}
    const key = `${type} ${outcome}`
    return seen.has(key) ? false : Boolean(seen.add(key))
  })
}

/** The places of the parts that come before the step that a platform acts on. */
export function earlyPlaces({ parts, deciding }: Pick<Branch, 'parts' | 'deciding'>): readonly number[] {
  const end = deciding === undefined ? undefined : parts[deciding]?.step
  return [...parts.keys()].filter((index) => (parts[index]?.step ?? 0) < (end ?? 0))
}

/** Why this receiver cannot be judged by payments of the kind; undefined if it can. */
export function describeObstacle(
  { receiver, calls, profile: { consequences } }: BranchContext,
  kind: PaymentKind,
): string | undefined {
  const consequence = consequenceOf(kind, consequences)
  const unreachable = describeUnreachable(kind, consequence)
  if (unreachable !== undefined) return unreachable
  if (!receiver.types().includes(consequence.object)) return `it has no URL for ${consequence.object}`
  // The body does not say to what the status changed. Source: §6.3
  const isBlind = consequence.object === 'virtual_accounts' && !calls.observable
  return isBlind ? 'it does not ask the service back' : undefined
}

function isChosen({ deciding }: Branch, choice: OutcomeChoice): boolean {
  return choice === 'all' || (deciding !== undefined) === (choice === 'good')
}

/** The same of one kind, one for each outcome, whatever keeps its effects from being judged. */
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
