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
  /** Unix seconds, as text. */
  readonly time: string
  readonly values: readonly string[]
}

/** The kept notifications of one object, oldest first. */
export type ObjectEntries = readonly [Entry, ...Entry[]]

/** Every decision of a receiver by its name. */
export interface Policy {
  isSigned(request: SignedRequest, secrets: readonly string[]): boolean
  interpretBody(body: unknown, route: Route): BodyMeaning
  /** Undefined if the service cannot be asked. */
  objectPath(entries: ObjectEntries): string | undefined
  parseKnownObject(shown: unknown, entries: ObjectEntries): KnownObject | undefined
  canReplace(before: KnownObject | undefined, now: KnownObject): boolean
  isDue(now: KnownObject, entries: ObjectEntries): boolean
  effectKey(now: KnownObject, entries: ObjectEntries): string
  /** Milliseconds until the service is asked again; undefined to give up. */
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
  /** The source addresses of each generation. Defaults to any. */
  readonly allowed?: { readonly [Each in Route['generation']]: readonly string[] } | undefined
  /** The signature secrets. Signatures are ignored without any. */
  readonly secrets?: readonly string[] | undefined
  readonly clock?: (() => number) | undefined
}

export interface Processor {
  /** Durable when it returns. Throws if the notification cannot be kept. */
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
