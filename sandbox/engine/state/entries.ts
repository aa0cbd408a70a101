import type * as Stored from '../../../spec/generated/control-types.ts'
import type {
  FaultEndHead,
  FaultUseHead,
  JobHead,
  ReadingsHead,
} from '../../../spec/generated/control-types.ts'
import type { BankAccount, CallbackObjectType, ObjectType } from '../../../spec/generated/service-types.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import type { AppliedFault, FaultRule } from './fault.ts'
import type { Payment } from './payment.ts'
import type { ExchangeFlag, FailureReason, Timings } from '../core/ports.ts'

export type { Generation } from '../../../spec/delivery.ts'

/** A receiver's URL registered for one object type. Source: §2.1 */
export type Registration = WebhookRegistration | CallbackRegistration

export interface WebhookRegistration extends RegistrationFields {
  readonly generation: 'webhooks'
  readonly object_type: ObjectType
}

export interface CallbackRegistration extends RegistrationFields {
  readonly generation: 'callbacks'
  readonly object_type: CallbackObjectType
}

interface RegistrationFields {
  readonly id: string
  readonly url: string
  readonly enabled: boolean
  readonly description: string | null
  /** Sandbox time, epoch milliseconds; so are all times below that do not say otherwise. */
  readonly created_at: number
  readonly updated_at: number
}

/**
 * One line of the sandbox's history. `head` is small and kept at hand in the indexes; `body` is the heavy part (JSON of
 * an object, the bytes of a job, the exchange of an attempt) and stays in the log until somebody asks for it.
 */
export interface Entry<EntryHead extends Head = Head> {
  readonly head: EntryHead
  readonly body: string
}

/** The head of an entry by its kind: the shape is given in spec/control.yaml, and here where TypeScript can say more. */
export type Head =
  | ObjectHead
  | RegistrationHead
  | Stored.DeletionHead
  | JobHead
  | AttemptHead
  | Stored.CancellationHead
  | Stored.ClockHead
  | PaymentHead
  | Stored.SecretHead
  | ReadingsHead
  | FaultHead
  | FaultEndHead
  | FaultUseHead
  | Stored.CraftedHead

type Precise<Base, Narrowed> = Omit<Base, keyof Narrowed> & Narrowed

export type ObjectHead = Precise<Stored.ObjectHead, { readonly owner?: AccountOwner }>
export type RegistrationHead = Precise<Stored.RegistrationHead, { readonly registration: Registration }>
export type AttemptHead = Precise<
  Stored.AttemptHead,
  { readonly reason: AttemptReason | null; readonly faults?: readonly AppliedFault[] }
>
export type PaymentHead = Precise<Stored.PaymentHead, { readonly payment: Payment }>
export type FaultHead = Precise<Stored.FaultHead, { readonly fault: FaultRule }>
export type {
  FaultEndHead,
  FaultUseHead,
  JobHead,
  ReadingsHead,
} from '../../../spec/generated/control-types.ts'

export type AccountKind = 'bank' | 'card' | 'wallet'

export interface AccountOwner {
  readonly user_id: string
  readonly account_kind: AccountKind
  /** For a bank account: what it is at its bank, its currency, and whether it can be used. */
  readonly bank?: BankAccount['bank']
  readonly currency?: string
  readonly active?: boolean
}

/** What a job can be about: a notified type, or the bank accounts of the earlier callbacks. */
export type JobType = NotifiedType | 'bank_accounts'

/** Why an attempt failed: no answer, or an answer that is not a success. */
export type AttemptReason = FailureReason | `http_${number}`

export interface ExchangeRecord {
  readonly request_headers: readonly (readonly [name: string, value: string])[]
  /** Null when the job's own bytes were sent. */
  readonly request_body: string | null
  readonly response: {
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** Base64 of the bytes received. */
    readonly body: string
  } | null
  /** What was sent beside it because of a fault, or answered and lost. */
  readonly others?: readonly OtherExchange[]
}

/** An exchange that decides nothing, as it is kept. */
export interface OtherExchange {
  readonly status: number | null
  readonly reason: FailureReason | null
  readonly message: string
  readonly flags: readonly ExchangeFlag[]
  readonly timings: Timings
  readonly response: ExchangeRecord['response']
}

/** A delivery that was crafted on the bench, to one URL, as often as was asked for. */
export interface CraftedDelivery {
  readonly id: string
  readonly url: string
  readonly registration_id: string | null
  readonly request_headers: ExchangeRecord['request_headers']
  /** Base64 of the bytes sent. */
  readonly request_body: string
  /** In the order in which they were sent. */
  readonly exchanges: readonly OtherExchange[]
}
