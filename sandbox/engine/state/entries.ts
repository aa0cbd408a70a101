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

/** An entry of a world. `body` contains large data: an object's JSON, a job's body or an attempt's exchange. */
export interface Entry<EntryHead extends Head = Head> {
  readonly head: EntryHead
  readonly body: string
}

/** The head of an entry, which contains its small fields. spec/control.yaml defines these types. */
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

/** A payment. `objects` maps each role, such as `batch_transactions/payment/direct_debit`, to an object id. */
export type Payment = Precise<
  Stored.StoredPayment,
  { readonly kind: PaymentKind; readonly participants: Participants; readonly moves: readonly PaymentMove[] }
>

/** The participants and the amount of a payment. These terms are the same in every step of the payment. */
export type PaymentTerms = Pick<Payment, 'kind' | 'via' | 'amount' | 'currency' | 'participants'>

export type PaymentMove = Precise<
  Stored.StoredPaymentMove,
  { readonly objects: readonly Precise<Stored.StoredObjectState, { readonly object_type: NotifiedType }>[] }
>

/** The pause between steps of a payment. `instant`: none. `stepwise`: until a step is requested. A number: sandbox milliseconds. */
export type PaymentPace = Payment['pace']

/** The ids of the participants that this kind of payment needs, such as users and accounts. `seller` owns `wallet_account`. */
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

export type AttemptReason = FailureReason | `http_${number}` | 'corrupt'

type Headers = readonly (readonly [name: string, value: string])[]

/** The response of the receiver. Null if the receiver did not respond. `body` is the raw body in Base64. */
type StoredResponse = { readonly headers: Headers; readonly body: string } | null

/** The request and the response of an attempt. `request_body` is null if the attempt sent the body of the job unchanged. */
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

export type HeadWrite<Kind extends Head['kind']> = {
  readonly [Each in Kind]: Omit<HeadByKind[Each], 'at'>
}[Kind]

/** A write that stores the new state of an object. The write triggers notifications unless it is silent. */
export interface ObjectWrite<Type extends NotifiedType = NotifiedType> {
  readonly kind: 'object'
  readonly object_type: Type
  readonly object: ObjectByType[Type]
  readonly silent?: boolean
  readonly owner?: AccountOwner
}

export function isObjectWrite<Type extends NotifiedType>(
  write: Write,
  type: Type,
): write is ObjectWrite<Type> {
  return write.kind === 'object' && write.object_type === type
}

/** A write that stores a new secret for signatures. Reading: signature */
interface SecretWrite {
  readonly kind: 'secret'
  readonly secret_key: string
  /** Sandbox time, epoch milliseconds. */
  readonly set_at: number
}
