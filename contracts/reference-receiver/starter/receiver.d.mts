import type { IncomingHttpHeaders, Server } from 'node:http'
import type { BodyMeaning, ServiceClient, ShowResult } from './service.mjs'
import type { Effects, Entry, KnownObject, Notification, Route, Store } from './store.mjs'

/** A signed request. */
export interface SignedRequest {
  readonly header: string | undefined
  readonly body: Uint8Array
  readonly now: number
}

/** The parts of a signature header. */
export interface Signature {
  /** The time of the signature in Unix seconds, as text. */
  readonly time: string
  readonly values: readonly string[]
}

/** The stored notifications of one object, oldest first. */
export type ObjectEntries = readonly [Entry, ...Entry[]]

/** The decisions of a receiver. Each decision is a function. */
export interface Policy {
  isSigned(request: SignedRequest, secrets: readonly string[]): boolean
  interpretBody(body: unknown, route: Route): BodyMeaning
  /** Returns the path to fetch the object from. Undefined if the object has no valid path. */
  objectPath(entries: ObjectEntries): string | undefined
  parseKnownObject(shown: unknown, entries: ObjectEntries): KnownObject | undefined
  canReplace(before: KnownObject | undefined, now: KnownObject): boolean
  isDue(now: KnownObject, entries: ObjectEntries): boolean
  effectKey(now: KnownObject, entries: ObjectEntries): string
  /** Returns the milliseconds until the receiver asks the service again. Undefined if the receiver gives up. */
  retryDelay(shown: Exclude<ShowResult, { kind: 'shown' }>, attempts: number): number | undefined
}

export const policy: Policy

export interface IncomingRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly from: string | undefined
  readonly body: Uint8Array | undefined
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Endpoint = (request: IncomingRequest) => Answer | Promise<Answer>

export interface EndpointOptions {
  readonly token: string
  /** The allowed source addresses for webhooks and for callbacks. By default, all addresses are allowed. */
  readonly allowed?: { readonly [Each in Route['generation']]: readonly string[] } | undefined
  /** The signature secrets. Without secrets, the receiver does not check signatures. */
  readonly secrets?: readonly string[] | undefined
  readonly clock?: (() => number) | undefined
}

export interface Processor {
  /** Stores a notification durably before it returns. Throws if the notification cannot be stored. */
  accept(notification: Notification): void
  readEffects(type: string, id: string): Effects
  close(): Promise<void>
}

export interface ProcessorOptions {
  readonly store: Store
  readonly service: ServiceClient
  readonly rules?: Policy
  readonly clock?: (() => number) | undefined
  readonly onError?: (error: unknown) => void
}

export interface Listening {
  readonly server: Server
  readonly port: number
  close(): Promise<void>
}

export interface ServerOptions {
  readonly cert: string
  readonly key: string
  readonly port: number
  readonly sourceHeader?: string | undefined
  readonly onError?: (error: unknown) => void
}

export function createEndpoint(
  processor: Pick<Processor, 'accept'>,
  options: EndpointOptions,
  rules?: Policy,
): Endpoint
export function decodeText(body: Uint8Array): string | undefined
export function isSigned(request: SignedRequest, secrets: readonly string[]): boolean
export function parseSignature(header?: string): Signature | undefined
export function isRecent(signature: Signature, now: number): boolean
export function isMadeWith(
  secrets: readonly string[],
  signature: Signature,
  body: Uint8Array | string,
): boolean
export function signatureOf(secret: string, time: string, body: Uint8Array | string): string
export function openProcessor(options: ProcessorOptions): Processor
export function serveEndpoint(endpoint: Endpoint, options: ServerOptions): Promise<Listening>
export function servePage(
  page: Pick<Processor, 'readEffects'> & { readonly reconcile: () => Promise<void> },
  options: Pick<ServerOptions, 'port' | 'onError'>,
): Promise<Listening>
