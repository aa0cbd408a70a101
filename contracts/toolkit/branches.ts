import {
  isNotified,
  paymentOutcomes,
  paymentKinds,
  paymentSteps,
  type PaymentNotification,
  type PaymentKind,
} from '../../spec/payments.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import type { ReadingValues } from '../../spec/readings.ts'
import type { CheckContext } from './check-context.ts'

/** A payment of one kind that comes to one outcome. */
export interface Branch {
  readonly kind: PaymentKind
  readonly outcome: string
  /** What is notified of it, in the document's order. */
  readonly parts: readonly Part[]
  /** How often a platform acts on it in the end. */
  readonly effects: 0 | 1
}

/** One notification of a payment. */
export interface Part {
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

/** `good` is the outcome that a platform acts on. */
export type OutcomeChoice = 'all' | 'good' | 'bad'

/** The payments that this receiver can be notified of; of every kind if none are given. */
export function selectBranches(
  context: Pick<CheckContext, 'receiver' | 'calls' | 'profile'>,
  choice: OutcomeChoice,
  kinds: readonly PaymentKind[] = paymentKinds,
): Branches {
  const branches: Branch[] = []
  const left: string[] = []
  for (const kind of kinds.filter((each) => !context.profile.unused.includes(each))) {
    const obstacle = findObstacle(context, kind)
    if (obstacle !== undefined) left.push(`${kind} (${obstacle})`)
    else branches.push(...branchesOfKind(kind, { choice, readings: context.profile.readings }))
  }
  return { branches, unobserved: left.length === 0 ? undefined : `Left out: ${left.join(', ')}` }
}

/** The first of these branches for each type of object that is notified of last. */
export function onePerType(branches: readonly Branch[]): readonly Branch[] {
  const seen = new Set<string>()
  return branches.filter(({ parts, outcome }) => {
    const key = `${parts.at(-1)?.type} ${outcome}`
    return seen.has(key) ? false : Boolean(seen.add(key))
  })
}

function findObstacle(
  { receiver, calls }: Pick<CheckContext, 'receiver' | 'calls'>,
  kind: PaymentKind,
): string | undefined {
  const registered: readonly NotifiedType[] = receiver.types()
  const needed = paymentOutcomes(kind).flatMap((outcome) => paymentSteps(kind, outcome).flat())
  const missing = needed.find(({ object }) => !registered.includes(object))
  if (missing) return `it has no URL for ${missing.object}`
  // The body does not say to what the status changed. Source: §6.3
  const isBlind = needed.some(({ object }) => object === 'virtual_accounts') && !calls.observable
  return isBlind ? 'it does not ask the service back' : undefined
}

function branchesOfKind(
  kind: PaymentKind,
  { choice, readings }: { readonly choice: OutcomeChoice; readonly readings: ReadingValues },
): readonly Branch[] {
  const [good] = paymentOutcomes(kind)
  return paymentOutcomes(kind)
    .filter((outcome) => choice === 'all' || (outcome === good) === (choice === 'good'))
    .map((outcome) => ({
      kind,
      outcome,
      parts: toParts(paymentSteps(kind, outcome), readings),
      effects: outcome === good ? 1 : 0,
    }))
}

function toParts(
  steps: readonly (readonly PaymentNotification[])[],
  readings: ReadingValues,
): readonly Part[] {
  const notifications = steps.flatMap((together, step) =>
    together
      .filter((notification) => isNotified(notification, readings))
      .map((notification) => ({ notification, step })),
  )
  return notifications.map(({ notification, step }, index) => ({
    type: notification.object,
    state: notification.state,
    step,
    isLast: !notifications.slice(index + 1).some((later) => isSameObject(later.notification, notification)),
  }))
}

function isSameObject(one: PaymentNotification, other: PaymentNotification): boolean {
  return one.object === other.object && one.type === other.type && one.type_method === other.type_method
}
