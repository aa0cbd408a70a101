import { LIFECYCLES } from './generated/lifecycles.ts'
import type { NotifiedType } from './notifications.ts'
import type { ReadingValues } from './readings.ts'

/** The ways in which money moves, and the activation of a virtual account. Source: §6.2, §3 */
export type PaymentKind = keyof typeof LIFECYCLES.payments

type RowOf<Kind extends PaymentKind> = (typeof LIFECYCLES.payments)[Kind]

/** The types of the objects that a payment of the kind creates, accompanying ones included. */
export type CreatedType<Kind extends PaymentKind> =
  | Exclude<RowOf<Kind>['notifications'][number][number], { readonly participant: string }>['object']
  | (RowOf<Kind> extends { readonly accompanying: Readonly<Record<string, readonly (infer Notification)[]>> }
      ? Extract<Notification, PaymentNotification>['object']
      : never)

/** What an object or a user is to a payment that it takes part in. */
export type ParticipantRole = keyof typeof LIFECYCLES.participants

/** A kind of payment, as `lifecycles.yaml` has it; the comments there say what its parts mean. */
export interface PaymentRow {
  readonly about: string
  readonly source: string
  readonly reading?: string
  /** The final states that it can come to, the usual one first. */
  readonly outcomes: readonly string[]
  /** The ways in which it can come, the usual one first. */
  readonly forms?: readonly string[]
  readonly participants: Participation
  readonly notifications: readonly (readonly NotificationRow[])[]
  readonly accompanying?: Readonly<Record<string, readonly PaymentNotification[]>>
  readonly consequence: PaymentNotification
}

/** Every payment has a seller, whose wallet it is paid into or out of. */
export type Participation = { readonly [Role in ParticipantRole]?: Participant } & {
  readonly seller: Participant
  readonly wallet_account: Participant
}

export interface Participant {
  /** For an account: whose it is. */
  readonly owner?: 'buyer' | 'seller'
  /** The field of a request that names one that is there. */
  readonly given_by?: 'item' | 'user' | 'account' | 'wallet'
  /** The money comes from there, so it must hold the amount. */
  readonly pays?: boolean
}

/** One notification of a payment. */
export interface PaymentNotification extends PaymentEffects {
  readonly object: NotifiedType
  readonly type?: string
  readonly type_method?: string
  readonly state: string
  /** What it speaks of: all that is paid, or what is left after the fees of the item. All if left out. */
  readonly amount?: 'total' | 'net'
  /** What the document says of its fields: by path, a literal or a reference to one of the payment's own objects. */
  readonly sets?: Readonly<Record<string, string>>
  /** The participant that it is about; undefined if the payment creates the object. */
  readonly participant?: ParticipantRole
  /** It happens only where each of these readings has this option. */
  readonly only?: Readonly<Record<string, string>>
}

/** What changes with a notification. */
export interface PaymentEffects {
  /** The wallets that its amount goes into or out of. */
  readonly wallets?: { readonly [Role in ParticipantRole]?: 'in' | 'out' }
  /** The state of the payout's disbursement from then on. */
  readonly disbursement?: string
  /** The fields of the item that change. Its amounts follow its state. */
  readonly item?: Readonly<Record<string, string | number>>
}

interface NotificationRow extends PaymentNotification {
  /** What follows from each outcome, where the state is `outcome`. */
  readonly by_outcome?: Readonly<Record<string, PaymentEffects>>
}

const rows: { readonly [Kind in PaymentKind]: PaymentRow } = LIFECYCLES.payments

export const paymentKinds: readonly PaymentKind[] = Object.keys(rows).filter((kind) => isPaymentKind(kind))

export function isPaymentKind(kind: string): kind is PaymentKind {
  return Object.hasOwn(rows, kind)
}

/** What a payment of the kind is, and the section of the document that has it. */
export function describePayment(kind: PaymentKind): Pick<PaymentRow, 'about' | 'source'> {
  const { about, source } = rows[kind]
  return { about, source }
}

/** The final states that a payment can come to, the usual one first. */
export function paymentOutcomes(kind: PaymentKind): readonly string[] {
  return rows[kind].outcomes
}

/** The ways in which a payment can come, the usual one first; most have one, without a name. Source: §2.4 */
export function paymentForms(kind: PaymentKind): readonly string[] {
  return rows[kind].forms ?? []
}

/** What a payment that comes to this outcome notifies, step by step; what stands in one step comes together. */
export function paymentSteps(
  kind: PaymentKind,
  outcome: string,
): readonly (readonly PaymentNotification[])[] {
  return rows[kind].notifications.map((together) =>
    together.map(({ by_outcome: effects = {}, ...notification }) =>
      notification.state === 'outcome'
        ? { ...notification, ...effects[outcome], state: outcome }
        : notification,
    ),
  )
}

/**
 * The same with the item that is paid: it is notified when it is created, before the payment, and whenever it changes with
 * it. Source: §1, §2.2. Reading: item-states, unshown-transitions
 */
export function stepsWithItem(
  kind: PaymentKind,
  outcome: string,
): readonly (readonly PaymentNotification[])[] {
  const steps = paymentSteps(kind, outcome)
  if (!paysItem(kind)) return steps
  let item: PaymentNotification = { object: 'items', state: LIFECYCLES.objects.items.initial }
  return [
    [item],
    ...steps.map((together) => {
      const change = together.find((notification) => notification.item !== undefined)?.item
      if (!change) return together
      const { state = item.state } = change
      item = { ...item, state: String(state) }
      return [...together, item]
    }),
  ]
}

/** A notification by its number among all that a payment has, from 1, as `play --dry` lists them. */
export interface NumberedNotification {
  readonly number: number
  /** Counted from 0; what has the same step comes together. */
  readonly step: number
  readonly notification: PaymentNotification
}

/** The same one after the other, whether they happen under the readings or not: so a number means one thing under all of them. */
export function numberNotifications(kind: PaymentKind, outcome: string): readonly NumberedNotification[] {
  return stepsWithItem(kind, outcome)
    .flatMap((together, step) => together.map((notification) => ({ step, notification })))
    .map((each, index) => ({ number: index + 1, ...each }))
}

/** Whether a notification happens under these readings. */
export function isNotified({ only = {} }: PaymentNotification, readings: ReadingValues): boolean {
  return Object.entries(only).every(([id, option]) => Reflect.get(readings, id) === option)
}

/** What comes with the last step to this outcome. Reading: accompanying-notifications */
export function accompanyingNotifications(
  kind: PaymentKind,
  outcome: string,
): readonly PaymentNotification[] {
  return rows[kind].accompanying?.[outcome] ?? []
}

/** Whose success a platform acts on, as long as it does not say otherwise. Ours. */
export function paymentConsequence(kind: PaymentKind): PaymentNotification {
  return rows[kind].consequence
}

/** The type of the object that plays each role in a payment. */
export const PARTICIPANT_TYPES: { readonly [Role in ParticipantRole]: NotifiedType } = LIFECYCLES.participants

export function isParticipantRole(role: string): role is ParticipantRole {
  return Object.hasOwn(PARTICIPANT_TYPES, role)
}

/** Who takes part in a payment, in the order in which they are found or created. */
export function paymentParticipants(kind: PaymentKind): readonly (readonly [ParticipantRole, Participant])[] {
  const { participants } = rows[kind]
  return Object.keys(participants)
    .filter((role) => isParticipantRole(role))
    .map((role) => [role, participants[role] ?? {}] as const)
}

/** Whether it is an item that is paid. */
export function paysItem(kind: PaymentKind): boolean {
  return rows[kind].participants.item !== undefined
}

/** What a notified object is to its payment: `batch_transactions/payment/direct_debit`. */
export function notificationRole({
  object,
  type,
  type_method,
}: Pick<PaymentNotification, 'object' | 'type' | 'type_method'>): string {
  return [object, type, type_method].filter((part) => part !== undefined).join('/')
}
