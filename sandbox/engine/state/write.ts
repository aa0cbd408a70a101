import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { ChosenReadings } from '../core/settings.ts'
import type { AccountOwner, CraftedDelivery, Registration } from './entries.ts'
import type { FaultRule } from './fault.ts'
import type { Payment } from './payment.ts'

/** Something to store, as an operation decides it. */
export type Write =
  | ObjectWrite
  | RegistrationWrite
  | DeletionWrite
  | PaymentWrite
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
export interface PaymentWrite {
  readonly kind: 'payment'
  readonly payment: Payment
}

export interface RegistrationWrite {
  readonly kind: 'registration'
  readonly registration: Registration
}

export interface DeletionWrite {
  readonly kind: 'deletion'
  readonly registration: Registration
}

/** Reading: signature */
export interface SecretWrite {
  readonly kind: 'secret'
  readonly secret_key: string
  /** Real time, epoch milliseconds. */
  readonly set_at: number
}

export interface ReadingsWrite {
  readonly kind: 'readings'
  readonly chosen: ChosenReadings
}

export interface FaultWrite {
  readonly kind: 'fault'
  readonly fault: FaultRule
}

export interface FaultEndWrite {
  readonly kind: 'fault-end'
  readonly fault_id: string
}

/** A fault has matched, and applied or not. */
export interface FaultUseWrite {
  readonly kind: 'fault-use'
  readonly fault_id: string
  readonly applied: boolean
  readonly job_id?: string
  readonly attempt?: number
}

/** A delivery outside the service's own behaviour. */
export interface CraftedWrite {
  readonly kind: 'crafted'
  readonly crafted: CraftedDelivery
}
