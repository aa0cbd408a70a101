import type { NotifiedType } from '../../../spec/types.ts'
import type { KnownObject, Notification } from './store.mjs'

/** The options for calls from the receiver to the service. */
export interface ServiceOptions {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly timeoutMs?: number
}

/** The result of a call to fetch an object. */
export type ShowResult =
  | { readonly kind: 'shown'; readonly body: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unavailable'; readonly status: number | undefined; readonly retryAfterMs: number }

export interface ServiceClient {
  /** Fetches the object at this path. The returned promise never rejects. */
  show(path: string): Promise<ShowResult>
}

export interface Tokens {
  current(): Promise<string>
  forget(old: Promise<string>): void
}

/** The meaning of a request body at the URL of one object type. */
export type BodyMeaning =
  { readonly kind: 'test' | 'foreign' } | { readonly kind: 'notification'; readonly id: string }

export function isNotifiedType(type: string): type is NotifiedType
export function isRecord(value: unknown): value is object
export function readField(object: object, name: string): unknown
export function interpretBody(body: unknown, type: NotifiedType): BodyMeaning
export function findObject(body: unknown, type: NotifiedType): object | undefined
export function readId(object: object | undefined): string | undefined
export function parseKnownObject(body: unknown, type: NotifiedType, id: string): KnownObject | undefined
export function canReplace(before: KnownObject | undefined, now: KnownObject): boolean
export function isDue(object: KnownObject): boolean
export function objectPath(type: NotifiedType, id: string): string | undefined
export function createTokens(options: ServiceOptions, stopped: AbortSignal): Tokens
export function createService(options: ServiceOptions, tokens: Tokens, stopped: AbortSignal): ServiceClient
export function listMissed(service: ServiceClient): Promise<readonly Notification[]>
