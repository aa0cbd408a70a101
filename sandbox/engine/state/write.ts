import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type {
  AccountOwner,
  FaultEndHead,
  FaultHead,
  FaultUseHead,
  NextOutcomeHead,
  PaymentHead,
  ReadingsHead,
  RegistrationHead,
} from './entries.ts'
import type { Registration } from './registration.ts'
import type { CraftedDelivery } from './exchange.ts'

/** Something to store, as an operation decides it. */
export type Write =
  | ObjectWrite
  | RegistrationWrite
  | DeletionWrite
  | PaymentWrite
  | NextOutcomeWrite
  | SecretWrite
  | ReadingsWrite
  | FaultWrite
  | FaultEndWrite
  | FaultUseWrite
  | CraftedWrite

/** An object as it is from now on. Triggers its notifications, unless it says otherwise. */
export interface ObjectWrite<Type extends NotifiedType = NotifiedType> {
  readonly kind: 'object'
  readonly object_type: Type
  readonly object: ObjectByType[Type]
  readonly silent?: boolean
  /** For an account: whose it is, and of which kind. */
  readonly owner?: AccountOwner
}

/** Whether an object of this type is written. */
export function isObjectWrite<Type extends NotifiedType>(
  write: Write,
  type: Type,
): write is ObjectWrite<Type> {
  return write.kind === 'object' && write.object_type === type
}

/** A payment as it stands from now on. */
export type PaymentWrite = Omit<PaymentHead, 'at'>

/** How the next payment of a kind ends; null for as usual. */
export type NextOutcomeWrite = Omit<NextOutcomeHead, 'at'>

export type RegistrationWrite = Omit<RegistrationHead, 'at'>

export interface DeletionWrite {
  readonly kind: 'deletion'
  readonly registration: Registration
}

/** Reading: signature */
export interface SecretWrite {
  readonly kind: 'secret'
  readonly secret_key: string
  /** Sandbox time, epoch milliseconds. */
  readonly set_at: number
}

export type ReadingsWrite = Omit<ReadingsHead, 'at'>

export type FaultWrite = Omit<FaultHead, 'at'>

export type FaultEndWrite = Omit<FaultEndHead, 'at'>

/** A fault has matched, and applied or not. */
export type FaultUseWrite = Omit<FaultUseHead, 'at'>

/** A delivery outside the service's own behaviour. */
export interface CraftedWrite {
  readonly kind: 'crafted'
  readonly crafted: CraftedDelivery
}
