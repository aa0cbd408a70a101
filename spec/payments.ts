import { LIFECYCLES } from './generated/lifecycles.ts'
import type { NotifiedType } from './notifications.ts'
import type { ReadingValues } from './readings.ts'

/** The kinds of payments, including the activation of a virtual account. Source: §6.2, §3 */
export type PaymentKind = keyof typeof LIFECYCLES.payments

type RowOf<Kind extends PaymentKind> = (typeof LIFECYCLES.payments)[Kind]

/** The types of the objects that a payment creates, including accompanying objects that §6.2 does not list. */
export type CreatedType<Kind extends PaymentKind> =
  | Exclude<RowOf<Kind>['notifications'][number][number], { readonly participant: string }>['object']
  | (RowOf<Kind> extends { readonly accompanying: Readonly<Record<string, readonly (infer Notification)[]>> }
      ? Extract<Notification, PaymentNotification>['object']
      : never)

export type ParticipantRole = keyof typeof LIFECYCLES.participants

/** A kind of payment. The comments in `lifecycles.yaml` explain the fields. */
export interface PaymentRow {
  readonly about: string
  readonly source: string
  readonly reading?: string
  /** The possible final states of the payment. The first entry is the default. */
  readonly outcomes: readonly string[]
  /** The possible forms of the payment, such as a PayID. The first entry is the default. */
  readonly forms?: readonly string[]
  readonly participants: Participation
  readonly notifications: readonly (readonly NotificationRow[])[]
  /** The notifications that accompany the last step, by outcome. Reading: accompanying-notifications */
  readonly accompanying?: Readonly<Record<string, readonly PaymentNotification[]>>
  /** The notification that a platform acts on by default. The default is Hookbench's own choice. */
  readonly consequence: PaymentNotification
}

export type Participation = { readonly [Role in ParticipantRole]?: Participant } & {
  readonly seller: Participant
  readonly wallet_account: Participant
}

export interface Participant {
  readonly owner?: 'buyer' | 'seller'
  readonly given_by?: 'item' | 'user' | 'account' | 'wallet'
  /** True if the participant pays. The balance of a paying participant must cover the amount. */
  readonly pays?: boolean
}

export interface PaymentNotification extends PaymentEffects {
  readonly object: NotifiedType
  readonly type?: string
  readonly type_method?: string
  readonly state: string
  /** The amount in the notification: the total, or the total minus the item's fees. Defaults to the total amount. */
  readonly amount?: 'total' | 'net'
  /** The fields with documented values, by path. Each value is a literal or a reference to an object of the payment. */
  readonly sets?: Readonly<Record<string, string>>
  /** The participant that the notification is about. Undefined if the payment creates the notified object. */
  readonly participant?: ParticipantRole
  /** The reading options under which the service sends the notification. The keys are reading ids. */
  readonly only?: Readonly<Record<string, string>>
}

export interface PaymentEffects {
  readonly wallets?: { readonly [Role in ParticipantRole]?: 'in' | 'out' }
  readonly disbursement?: string
  /** The fields of the item that change together with this notification. The amounts of the item depend on its state. */
  readonly item?: Readonly<Record<string, string | number>>
}

interface NotificationRow extends PaymentNotification {
  readonly by_outcome?: Readonly<Record<string, PaymentEffects>>
}

export const paymentRows: { readonly [Kind in PaymentKind]: PaymentRow } = LIFECYCLES.payments

export const paymentKinds: readonly PaymentKind[] = Object.keys(paymentRows).filter((kind) =>
  isPaymentKind(kind),
)

export function isPaymentKind(kind: string): kind is PaymentKind {
  return Object.hasOwn(paymentRows, kind)
}

/** Returns the outcomes, with the default first. */
export function paymentOutcomes(kind: PaymentKind): readonly string[] {
  return paymentRows[kind].outcomes
}

/** Returns the forms, with the default first. Most kinds have one unnamed form. Source: §2.4 */
export function paymentForms(kind: PaymentKind): readonly string[] {
  return paymentRows[kind].forms ?? []
}

export function paymentSteps(
  kind: PaymentKind,
  outcome: string,
): readonly (readonly PaymentNotification[])[] {
  return paymentRows[kind].notifications.map((together) =>
    together.map(({ by_outcome: effects = {}, ...notification }) =>
      notification.state === 'outcome'
        ? { ...notification, ...effects[outcome], state: outcome }
        : notification,
    ),
  )
}

/** Returns the steps, including notifications about the paid item. Source: §1, §2.2. Reading: item-states, unshown-transitions */
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

export interface NumberedNotification {
  readonly number: number
  /** The step of the payment, counted from 0. The notifications of one step are sent at the same time. */
  readonly step: number
  readonly notification: PaymentNotification
}

/** Numbers all notifications, even if a reading excludes some, so that a number always means the same notification. */
export function numberNotifications(kind: PaymentKind, outcome: string): readonly NumberedNotification[] {
  return stepsWithItem(kind, outcome)
    .flatMap((together, step) => together.map((notification) => ({ step, notification })))
    .map((each, index) => ({ number: index + 1, ...each }))
}

/** Lists all notifications of a payment. Step 0 is the creation of the paid item. */
export function listNotifications(kind: PaymentKind, outcome: string) {
  const first = paysItem(kind) ? 0 : 1
  return numberNotifications(kind, outcome).map(({ number, step, notification }) => ({
    number,
    step: first + step,
    object_type: notification.object,
    type: notification.type ?? null,
    type_method: notification.type_method ?? null,
    state: notification.state,
    only: { ...notification.only },
  }))
}

export function isNotified(
  { only = {} }: Pick<PaymentNotification, 'only'>,
  readings: ReadingValues,
): boolean {
  return Object.entries(only).every(([id, option]) => Reflect.get(readings, id) === option)
}

export const PARTICIPANT_TYPES: { readonly [Role in ParticipantRole]: NotifiedType } = LIFECYCLES.participants

export function isParticipantRole(role: string): role is ParticipantRole {
  return Object.hasOwn(PARTICIPANT_TYPES, role)
}

/** Lists the participants in the order of their creation. */
export function paymentParticipants(kind: PaymentKind): readonly (readonly [ParticipantRole, Participant])[] {
  const { participants } = paymentRows[kind]
  return Object.keys(participants)
    .filter((role) => isParticipantRole(role))
    .map((role) => [role, participants[role] ?? {}] as const)
}

export function paysItem(kind: PaymentKind): boolean {
  return paymentRows[kind].participants.item !== undefined
}

/** Returns the role of the notified object in the payment, such as `batch_transactions/payment/direct_debit`. */
export function notificationRole({
  object,
  type,
  type_method,
}: Pick<PaymentNotification, 'object' | 'type' | 'type_method'>): string {
  return [object, type, type_method].filter((part) => part !== undefined).join('/')
}
