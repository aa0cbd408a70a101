import type { NotifiedType } from '../../../spec/types.ts'

/** One of the receiver's addresses. */
export interface Route {
  readonly generation: 'webhooks' | 'callbacks'
  readonly type: NotifiedType
}

/** A kept notification. The body shows what arrived; decisions rest on the type and the id only. */
export interface Notification extends Route {
  /** The id in the body. An integer becomes its digits. */
  readonly id: string
  readonly body: string
}

/** A notification in the inbox. */
export interface Entry extends Notification {
  readonly number: number
  /** How often the service was asked in vain. */
  readonly attempts: number
  readonly dueAt: number
}

/** What the service shows of an object. */
export interface KnownObject {
  readonly type: NotifiedType
  readonly id: string
  readonly number: string | null
  /** `type/type_method` of a transaction. */
  readonly kind: string | null
  readonly state: string | null
  /** Epoch milliseconds. */
  readonly updatedAt: number | null
  /** Minor units. */
  readonly amount: number | null
  readonly currency: string | null
  readonly userId: string | null
  readonly accountId: string | null
}

/** What follows from an answer of the service. */
export interface Conclusion {
  readonly believed?: KnownObject | undefined
  /** The key of the consequence, if it is due. */
  readonly key?: string | undefined
}

/** What was done about an object. */
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
