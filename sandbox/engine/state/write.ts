import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { AccountOwner, Head, HeadByKind } from './entries.ts'
import type { CraftedDelivery } from './exchange.ts'
import type { Registration } from './registration.ts'

export type Write =
  | ObjectWrite
  | { readonly kind: 'deletion'; readonly registration: Registration }
  | SecretWrite
  | { readonly kind: 'crafted'; readonly crafted: CraftedDelivery }
  | HeadWrite<'registration' | 'payment' | 'next-outcome' | 'readings' | 'fault' | 'fault-end' | 'fault-use'>

/** A head without its time, which the store adds. */
export type HeadWrite<Kind extends Head['kind']> = {
  readonly [Each in Kind]: Omit<HeadByKind[Each], 'at'>
}[Kind]

/** An object as it is from now on. Triggers its notifications, unless it is silent. */
export interface ObjectWrite<Type extends NotifiedType = NotifiedType> {
  readonly kind: 'object'
  readonly object_type: Type
  readonly object: ObjectByType[Type]
  readonly silent?: boolean
  /** Of an account: its user and its kind. */
  readonly owner?: AccountOwner
}

export function isObjectWrite<Type extends NotifiedType>(
  write: Write,
  type: Type,
): write is ObjectWrite<Type> {
  return write.kind === 'object' && write.object_type === type
}

/** Reading: signature */
interface SecretWrite {
  readonly kind: 'secret'
  readonly secret_key: string
  /** Sandbox time, epoch milliseconds. */
  readonly set_at: number
}
