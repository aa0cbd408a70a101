import type * as Stored from '../../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { ParticipantRole, PaymentKind } from '../../../spec/payments.ts'
import type { Precise } from '../core/precise.ts'

/**
 * A payment under way, or played to its end. `objects` has the id of each object that it creates or notifies, by its role:
 * `batch_transactions/payment/direct_debit`.
 */
export type Payment = Precise<
  Stored.StoredPayment,
  { readonly kind: PaymentKind; readonly participants: Participants; readonly moves: readonly PaymentMove[] }
>

/** The parties and the amount, which are the same in every step. */
export type PaymentTerms = Pick<Payment, 'kind' | 'via' | 'amount' | 'currency' | 'participants'>

/** A step, and the states that it brought. */
export type PaymentMove = Precise<
  Stored.StoredPaymentMove,
  { readonly objects: readonly Precise<Stored.StoredObjectState, { readonly object_type: NotifiedType }>[] }
>

/** `instant`: each step after the last; `stepwise`: when asked to; milliseconds of sandbox time: so long between steps. */
export type Pace = Payment['pace']

/** The ids of the parties and objects that the kind of payment needs. The seller owns the wallet. */
export type Participants = { readonly [Role in ParticipantRole]?: string } & {
  readonly seller: string
  readonly wallet_account: string
}
