import type { Generation } from '../../../spec/delivery.ts'
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

export type Head =
  | ObjectHead
  | RegistrationHead
  | DeletionHead
  | JobHead
  | AttemptHead
  | CancellationHead
  | ClockHead
  | PaymentHead
  | SecretHead
  | ReadingsHead
  | FaultHead
  | FaultEndHead
  | FaultUseHead
  | CraftedHead

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

/** A payment as it stands from here on. */
export interface PaymentHead {
  readonly kind: 'payment'
  readonly at: number
  readonly payment: Payment
}

/** An object as it is from this revision on. Body: its Show response, not wrapped. */
export interface ObjectHead {
  readonly kind: 'object'
  readonly at: number
  readonly object_type: NotifiedType
  readonly id: string
  /** Other ids that it is asked for by. */
  readonly aliases?: readonly string[]
  /** For an account: whose it is, and of which kind; its body shows neither. */
  readonly owner?: AccountOwner
  /** Counted from 1. */
  readonly revision: number
}

export interface RegistrationHead {
  readonly kind: 'registration'
  readonly at: number
  readonly registration: Registration
}

export interface DeletionHead {
  readonly kind: 'deletion'
  readonly at: number
  readonly registration_id: string
}

/** One trigger for one registration. Body: the bytes to send, frozen at the trigger. Source: §6.1 */
export interface JobHead {
  readonly kind: 'job'
  readonly at: number
  readonly id: string
  readonly generation: Generation
  readonly registration_id: string
  readonly object_type: JobType
  readonly object_id: string
  readonly revision: number
  /** The object's state at the trigger, for those that have one. */
  readonly state: string | null
  readonly url: string
  /** SHA-256 of the body, hexadecimal. */
  readonly hashed_payload: string
}

/** One ended attempt; `at` is when it ended. Body: an `ExchangeRecord`. */
export interface AttemptHead {
  readonly kind: 'attempt'
  readonly at: number
  readonly job_id: string
  /** Counted from 1. */
  readonly number: number
  readonly url: string
  readonly due_at: number
  readonly started_at: number
  /** Real time, epoch milliseconds: what the recording lag counts from. */
  readonly recorded_at: number
  /** The HTTP status; null without an answer. */
  readonly status: number | null
  /** Null after success. */
  readonly reason: AttemptReason | null
  readonly message: string
  /** Null if no attempt follows. */
  readonly next_due_at: number | null
  readonly flags: readonly ExchangeFlag[]
  readonly timings: Timings
  /** Resent by hand: it has no place in the schedule. Source: §8 */
  readonly manual?: true
  /** The faults that applied to it. */
  readonly faults?: readonly AppliedFault[]
}

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

/** `CraftedDelivery` is its body. */
export interface CraftedHead {
  readonly kind: 'crafted'
  readonly at: number
  readonly id: string
}

/** Something is to go wrong from now on. */
export interface FaultHead {
  readonly kind: 'fault'
  readonly at: number
  readonly fault: FaultRule
}

export interface FaultEndHead {
  readonly kind: 'fault-end'
  readonly at: number
  readonly fault_id: string
}

/** A fault has matched once more; `applied` says whether it went wrong this time. */
export interface FaultUseHead {
  readonly kind: 'fault-use'
  readonly at: number
  readonly fault_id: string
  readonly applied: boolean
  /** The attempt that it matched: one that was not made yet has the same faults when it is made. */
  readonly job_id?: string
  readonly attempt?: number
}

/** The job's pending attempts are called off. Reading: pending-retries */
export interface CancellationHead {
  readonly kind: 'cancellation'
  readonly at: number
  readonly job_id: string
}

/** Webhooks are signed with another secret. Body: the secret, which no head and so no listener is told. Reading: signature */
export interface SecretHead {
  readonly kind: 'secret'
  readonly at: number
  /** Real time, epoch milliseconds: what the end of the one before counts from. */
  readonly set_at: number
}

/** What is chosen of the readings from now on, beside what was chosen before. */
export interface ReadingsHead {
  readonly kind: 'readings'
  readonly at: number
  readonly chosen: Readonly<Record<string, string>>
}

/** Where the sandbox's clock stood, so that it goes on from there. */
export interface ClockHead {
  readonly kind: 'clock'
  readonly at: number
  /** Sandbox seconds per real second from here on, if that changed. */
  readonly speed?: number
}
