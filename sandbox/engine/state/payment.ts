import type { NotifiedType } from '../../../spec/notifications.ts'
import type { ParticipantRole, PaymentKind } from '../../../spec/payments.ts'

/** A payment under way, or played to its end. */
export interface Payment {
  readonly id: string
  readonly kind: PaymentKind
  /** The final state that it comes to. */
  readonly outcome: string
  /** How it comes, where it can come in several ways. */
  readonly via?: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly pace: Pace
  readonly participants: Participants
  /** The id of each object that the payment creates or notifies, by its role: `batch_transactions/payment/direct_debit`. */
  readonly objects: Readonly<Record<string, string>>
  /** The steps that were taken. */
  readonly moves: readonly PaymentMove[]
  /** How many steps are done, and of how many. */
  readonly step: number
  readonly steps: number
  /** Sandbox time, epoch milliseconds. */
  readonly created_at: number
  /** When the next step is due; null if it waits to be asked for, or if there is none. */
  readonly next_due_at: number | null
}

/** Who pays whom how much, which is the same in every step. */
export type PaymentTerms = Pick<Payment, 'kind' | 'via' | 'amount' | 'currency' | 'participants'>

/** A step, and the states that it brought. */
export interface PaymentMove {
  readonly step: number
  /** Sandbox time, epoch milliseconds. */
  readonly at: number
  readonly objects: readonly {
    readonly object_type: NotifiedType
    readonly id: string
    readonly state: string
  }[]
}

/** `instant`: each step after the last; `stepwise`: when asked to; milliseconds of sandbox time: so long between steps. */
export type Pace = 'instant' | 'stepwise' | number

/** The ids of who and what takes part; only those that the kind of payment needs. The seller is the user whose wallet it is. */
export type Participants = { readonly [Role in ParticipantRole]?: string } & {
  readonly seller: string
  readonly wallet_account: string
}
