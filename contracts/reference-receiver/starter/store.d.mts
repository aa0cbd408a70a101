import type { NotifiedType } from '../../../spec/types.ts'

/** The meaning of one URL of the receiver. */
export interface Route {
  readonly generation: 'webhooks' | 'callbacks'
  readonly type: NotifiedType
}

/** A stored notification. The body is stored for information. The receiver decides only by the type and the id. */
export interface Notification extends Route {
  /** The id from the body. An integer id is stored as text. */
  readonly id: string
  readonly body: string
}

/** A notification in the inbox of unprocessed notifications. */
export interface Entry extends Notification {
  readonly number: number
  /** The number of failed calls to the service about the object. */
  readonly attempts: number
  readonly dueAt: number
}

/** The fields of an object that the service has returned. */
export interface KnownObject {
  readonly type: NotifiedType
  readonly id: string
  readonly number: string | null
  /** `type/type_method` of a transaction. */
  readonly kind: string | null
  readonly state: string | null
  /** The time of the last change, in milliseconds since the Unix epoch. */
  readonly updatedAt: number | null
  /** The amount in minor units. */
  readonly amount: number | null
  readonly currency: string | null
  readonly userId: string | null
  readonly accountId: string | null
}

/** The changes to store after an answer of the service. */
export interface Conclusion {
  readonly believed?: KnownObject | undefined
  /** The key of the consequence to record. Undefined if the platform must not act. */
  readonly key?: string | undefined
}

/** The effects of the platform on one object. */
export interface Effects {
  readonly effects: number
  readonly state: string | null
  readonly amount?: number
  readonly currency?: string
  readonly user_id?: string
  readonly account_id?: string
}

export interface Store {
  put(notification: Notification, now: number): void
  entries(): readonly Entry[]
  postpone(entries: readonly Entry[], dueAt: number): void
  drop(entries: readonly Entry[]): void
  known(type: string, id: string): KnownObject | undefined
  settle(entries: readonly Entry[], conclusion: Conclusion): void
  readEffects(type: string, id: string): Effects
  close(): void
}

export function openStore(file: string, act?: (object: KnownObject) => void): Store
