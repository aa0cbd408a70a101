import type * as Stored from '../../../spec/generated/control-types.ts'
import type { BankAccount, CardAccount } from '../../../spec/generated/service-types.ts'
import type { Precise } from '../core/precise.ts'
import type { AppliedFault, FaultRule } from './fault.ts'
import type { PaymentKind } from '../../../spec/payments.ts'
import type { Payment } from './payment.ts'
import type { Registration } from './registration.ts'
import type { AttemptReason } from './exchange.ts'

/**
 * An entry of a world's history. `head` is small. `body` is large: JSON of an object, the bytes of a job or the exchange of an attempt.
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

/** The head of one kind, in a way that a map by kind can be called with it. */
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
    /** The details of a bank account at its bank, and of a card at its issuer. */
    readonly bank?: BankAccount['bank']
    readonly card?: CardAccount['card']
  }
>
