import type { StoredRegistration } from '../../../spec/generated/control-types.ts'
import type { CallbackObjectType, ObjectType } from '../../../spec/generated/service-types.ts'
import type { Precise } from '../core/precise.ts'

/** A receiver's URL registered for one object type. Source: §2.1 */
export type Registration = WebhookRegistration | CallbackRegistration

export type WebhookRegistration = Precise<
  StoredRegistration,
  { readonly generation: 'webhooks'; readonly object_type: ObjectType }
>
export type CallbackRegistration = Precise<
  StoredRegistration,
  { readonly generation: 'callbacks'; readonly object_type: CallbackObjectType }
>
