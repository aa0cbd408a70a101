import type { CallbackObjectType, ObjectType } from '../../../spec/generated/service-types.ts'

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
  /** Sandbox time, epoch milliseconds. */
  readonly created_at: number
  readonly updated_at: number
}
