import type { FaultPlace, PlacedFaultKind } from '../../../spec/faults.ts'
import type * as Stored from '../../../spec/generated/control-types.ts'
import type {
  BankAccount,
  CallbackObjectType,
  CardAccount,
  ObjectType,
} from '../../../spec/generated/service-types.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { ParticipantRole, PaymentKind } from '../../../spec/payments.ts'
import type { FailureReason } from '../core/ports.ts'
import type { Precise } from '../core/precise.ts'

/**
 * An entry in the history of a world. `head` is small. `body` is large: the JSON of an object, the body of a job or the exchange of
 * an attempt.
 */
export interface Entry<EntryHead extends Head = Head> {
  readonly head: EntryHead
  readonly body: string
}

/** The head of an entry. spec/control.yaml defines the shapes. */
export type Head =
  | ObjectHead
  | RegistrationHead
  | Stored.DeletionHead
  | Stored.JobHead
  | AttemptStartHead
  | AttemptHead
  | Stored.CancellationHead
  | Stored.ClockHead
  | PaymentHead
  | NextOutcomeHead
  | Stored.SecretHead
  | Stored.ReadingsHead
  | FaultHead
  | Stored.FaultEndHead
  | Stored.FaultUseHead
  | Stored.CraftedHead

export type HeadByKind = { readonly [Each in Head as Each['kind']]: Each }

/** Maps an entry kind to the type of its head. */
export type HeadOf<Kind extends Head['kind']> = {
  [Each in Kind]: HeadByKind[Each] & { readonly kind: Each }
}[Kind]

export type ObjectHead = Precise<Stored.ObjectHead, { readonly owner?: AccountOwner }>
export type RegistrationHead = Precise<Stored.RegistrationHead, { readonly registration: Registration }>
export type AttemptStartHead = Precise<Stored.AttemptStartHead, { readonly faults?: readonly AppliedFault[] }>
export type AttemptHead = Precise<
  Stored.AttemptHead,
  { readonly reason: AttemptReason | null; readonly faults?: readonly AppliedFault[] }
>
export type PaymentHead = Precise<Stored.PaymentHead, { readonly payment: Payment }>
export type NextOutcomeHead = Precise<Stored.NextOutcomeHead, { readonly payment_kind: PaymentKind }>
export type FaultHead = Precise<Stored.FaultHead, { readonly fault: FaultRule }>
export type { FaultUseHead, JobHead } from '../../../spec/generated/control-types.ts'

export type AccountKind = Stored.AccountOwner['account_kind']

export type AccountOwner = Precise<
  Stored.AccountOwner,
  {
    /** The account details at the bank, if the account is a bank account. `card` has the details of a card at its issuer. */
    readonly bank?: BankAccount['bank']
    readonly card?: CardAccount['card']
  }
>

/** A registered receiver URL for one object type. Source: §2.1 */
export type Registration = WebhookRegistration | CallbackRegistration

export type WebhookRegistration = Precise<
  Stored.StoredRegistration,
  { readonly generation: 'webhooks'; readonly object_type: ObjectType }
>
export type CallbackRegistration = Precise<
  Stored.StoredRegistration,
  { readonly generation: 'callbacks'; readonly object_type: CallbackObjectType }
>

/**
 * A payment in progress or completed. `objects` maps each role to the id of its object. A role is, for example,
 * `batch_transactions/payment/direct_debit`.
 */
export type Payment = Precise<
  Stored.StoredPayment,
  { readonly kind: PaymentKind; readonly participants: Participants; readonly moves: readonly PaymentMove[] }
>

/** The parties and the amount of a payment. The parties and the amount are the same in every step of the payment. */
export type PaymentTerms = Pick<Payment, 'kind' | 'via' | 'amount' | 'currency' | 'participants'>

export type PaymentMove = Precise<
  Stored.StoredPaymentMove,
  { readonly objects: readonly Precise<Stored.StoredObjectState, { readonly object_type: NotifiedType }>[] }
>

/**
 * The time between two steps of a payment. `instant`: no wait. `stepwise`: each step waits for a request. A number is the wait in
 * milliseconds of sandbox time.
 */
export type PaymentPace = Payment['pace']

/** The ids of the parties and objects that this kind of payment needs. The seller owns the wallet. */
export type Participants = { readonly [Role in ParticipantRole]?: string } & {
  readonly seller: string
  readonly wallet_account: string
}

export type { FaultSettings } from '../../../spec/generated/control-types.ts'

export type FaultRule = PlacedFaultKind & Omit<Stored.StoredFault, 'on' | 'kind'>

export type FaultState = FaultRule & FaultCounts
export type FaultStateOn<Place extends FaultPlace> = Extract<FaultState, { readonly on: Place }>

export interface FaultCounts {
  readonly matched: number
  readonly applied: number
  /** Sandbox time, epoch milliseconds. */
  readonly created_at: number
}

export type AppliedFault = Precise<Stored.AppliedFault, { readonly kind: FaultRule['kind'] }>

/** The reason why an attempt failed: no response, a rejection, or a damaged body. */
export type AttemptReason = FailureReason | `http_${number}` | 'corrupt'

type Headers = readonly (readonly [name: string, value: string])[]

/** The response of the receiver. Null if the receiver did not respond. `body` is the raw body in Base64. */
type StoredResponse = { readonly headers: Headers; readonly body: string } | null

/** The request and the response of an attempt. `request_body` is null if the attempt sent the job's body unchanged. */
export type ExchangeRecord = Precise<
  Stored.StoredExchange,
  {
    readonly request_headers: Headers
    readonly response: StoredResponse
    readonly others?: readonly OtherExchange[]
  }
>

export type OtherExchange = Precise<
  Stored.StoredOtherExchange,
  { readonly reason: FailureReason | null; readonly response: StoredResponse }
>

/** A manual delivery to one URL, with its repetitions. `request_body` is the sent body in Base64. */
export type CraftedDelivery = Precise<
  Stored.StoredDelivery,
  { readonly request_headers: Headers; readonly exchanges: readonly OtherExchange[] }
>

export type Write =
  | ObjectWrite
  | { readonly kind: 'deletion'; readonly registration: Registration }
  | SecretWrite
  | { readonly kind: 'crafted'; readonly crafted: CraftedDelivery }
  | HeadWrite<'registration' | 'payment' | 'next-outcome' | 'readings' | 'fault' | 'fault-end' | 'fault-use'>

/** An entry head without its time. The store adds the time. */
export type HeadWrite<Kind extends Head['kind']> = {
  readonly [Each in Kind]: Omit<HeadByKind[Each], 'at'>
}[Kind]

/** A write of the new state of an object. Triggers notifications unless the write is silent. */
export interface ObjectWrite<Type extends NotifiedType = NotifiedType> {
  readonly kind: 'object'
  readonly object_type: Type
  readonly object: ObjectByType[Type]
  readonly silent?: boolean
  /** The user and the kind of an account. */
  readonly owner?: AccountOwner
}

export function isObjectWrite<Type extends NotifiedType>(
  write: Write,
  type: Type,
): write is ObjectWrite<Type> {
  return write.kind === 'object' && write.object_type === type
}

/** The write of a new signing secret. Reading: signature */
interface SecretWrite {
  readonly kind: 'secret'
  readonly secret_key: string
  /** Sandbox time, epoch milliseconds. */
  readonly set_at: number
}
