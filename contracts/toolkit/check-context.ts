import type { Check } from '../check.ts'
import type { Exchange, Finding, ObjectRef } from '../finding.ts'
import type { Profile } from './options.ts'
import type {
  Canary,
  EffectState,
  ExplorationHook,
  ProcessHooks,
  ReconcileHook,
  SeenDelay,
  TlsProbe,
} from './ports.ts'
import type { Generation } from '../../spec/delivery.ts'
import type { FaultRequest, RequestRecord } from '../../spec/generated/control-types.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import type { PaymentKind } from '../../spec/payments.ts'

export type ReceiverCheck = Check<CheckContext>

/** A check's access to the receiver. Ids depend on seed, salt and check id. The check, not the service, sends notifications. */
export interface CheckContext {
  readonly profile: Profile
  readonly receiver: ReceiverUrls
  readonly service: ServiceObjects
  /** Returns a uniformly distributed number in [0, 1). Every run with the same seed gets the same numbers. */
  readonly random: () => number
  /** The returned promise never rejects. */
  send(message: Message, options?: SendOptions): Promise<Exchange>
  /** Posts any bytes to any URL in the same way as a delivery. The returned promise never rejects. */
  post(request: PostRequest): Promise<Exchange>
  /** Repeats a delivery until the receiver accepts it, but at most as many times as the service does. */
  sendUntilAccepted(message: Message, options?: SendOptions): Promise<Exchange>
  /** Sends an unusual request, such as a body in chunks. The returned promise never rejects. */
  request(request: RawRequest): Promise<Exchange>
  /** Returns the certificates of a TLS handshake with the receiver, without sending a request. */
  probeTls(type?: NotifiedType): Promise<TlsProbe>
  readonly effects: EffectWatch
  readonly calls: CallWatch
  /**
   * Waits until the receiver is idle. An idle receiver has asked about each notification, has no open call, and shows no activity
   * during a window.
   */
  rest(): Promise<void>
  /** Waits as long as the receiver usually needs to process one notification. */
  pauseBetween(): Promise<void>
  /** Waits until all other checks have ended, and at least `leastMs` real milliseconds. Requires `spansRun`. */
  restOfRun(leastMs: number): Promise<void>
  /** Returns the real milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly pause: (ms: number) => Promise<unknown>
  /** Opens a URL that only the receiver has a reason to call. */
  canary(): Promise<Canary>
  /** The process of the receiver. A check that uses the process must list `process` in `needs`. */
  readonly process: ProcessHooks
  readonly reconcile: ReconcileHook
  note(text: string, ...about: readonly ObjectRef[]): void
  readonly exploration: ExplorationHook
  /** Schedules `look` for the end of the run. `look` reads an object again. Replaces an earlier `look` for the same object. */
  atEnd(object: ObjectRef, look: () => Promise<Finding | undefined>): void
  /** Creates a context with its own ids, random numbers and log, for one of several concurrent parts of a check. */
  fork(name: string): ContextFork
}

export interface ContextFork {
  readonly context: CheckContext
  /** Adds the log of the fork to the log of the check. */
  adopt(): void
  /** Ends the faults of the fork. */
  close(): Promise<void>
}

export interface ReceiverUrls {
  /** Returns the object types for which the receiver has a URL. `generation` defaults to webhooks. */
  types(generation?: Generation): readonly NotifiedType[]
  /** Throws RangeError if the type has no URL. */
  url(type: NotifiedType, generation?: Generation): string
}

export interface ServiceObjects {
  /** Creates an object that the receiver can fetch, and returns its notification. Omitted fields get default values. */
  create(type: NotifiedType, fields?: object): Promise<Message>
  change(object: ObjectRef, fields: object): Promise<Message>
  /** Creates a payment and its item. Call `next` or `finish` on the result to take the steps of the payment. */
  play(kind: PaymentKind, outcome?: string, options?: PaymentOptions): Promise<Play>
  /** Simulates an outage. Registers the URLs of the receiver for these types, and drops every delivery to these URLs. */
  beginOutage(types: readonly NotifiedType[]): Promise<Outage>
  newId(): string
  /** Records that an object belongs to this check. The service returns the object only while a fault supplies the response. */
  adopt(object: ObjectRef): void
  /** Returns the time of the sandbox clock as ISO 8601 text. */
  now(): Promise<string>
  /** Advances the clock for all checks, so use this function only at the end of a run. Returns the new time in ISO 8601. */
  advance(ms: number): Promise<string>
  /** Adds a fault for an object of this check. The fault ends with `stop` or with the check. */
  disturb(object: ObjectRef, fault: ServiceFault): Promise<{ stop(): Promise<void> }>
}

export type ServiceFault = Omit<FaultRequest, 'on' | 'match'>

export interface PaymentOptions {
  /** The amount in minor units. */
  readonly amount?: number
  readonly currency?: string
  /** The channel of an NPP (instant bank transfer) pay-in. */
  readonly via?: string
  /** The user who pays or is paid. Defaults to a new user. */
  readonly user?: string
  /** An existing item to pay again. Defaults to a new item. */
  readonly item?: string
  readonly itemFields?: object
}

export interface Play {
  readonly isOver: boolean
  /** The object that a platform acts on. Undefined if the payment kind has no such object. */
  readonly consequence: ObjectRef | undefined
  /** All notifications of the payment so far, in the order of the service's document. */
  readonly messages: readonly Message[]
  /** Runs the next step of the payment and returns its notifications. Returns an empty list if no step is left. */
  next(): Promise<readonly Message[]>
  finish(): Promise<readonly Message[]>
}

export interface Message {
  readonly type: NotifiedType
  readonly id: string
  /** The state of the object. Null if objects of the type have no state. */
  readonly state: string | null
  /** The label in reports, such as `batch_transactions successful`. */
  readonly label: string
  /** The body as the service sends it, byte by byte. */
  readonly body: string
  /** The unchanged body that the service would send for the object. Undefined if the service would never send this object. */
  readonly usualBody?: string
}

export interface SendOptions {
  readonly generation?: Generation
  readonly label?: string
  readonly role?: Exchange['role']
  readonly headers?: Readonly<Record<string, string>>
  /** The IP address to send from. Defaults to a documented address of the service. */
  readonly sourceAddress?: string
  /** Defaults to the signature of the service. Null omits the signature. Ignored if webhooks are not signed. */
  readonly signature?: MakeSignature | null
}

/** Computes the value of the signature header at the time of sending. Reading: signature */
export type MakeSignature = (signing: Signing) => string

export interface Signing {
  readonly secret: string
  /** The time of the signature in seconds since the Unix epoch. */
  readonly now: number
  readonly body: string | Uint8Array
}

export interface PostRequest extends SendOptions {
  readonly about?: ObjectRef
  readonly url: string
  readonly body: string | Uint8Array
  readonly label: string
}

type RequestFields = Pick<PostRequest, 'about' | 'url' | 'label' | 'headers' | 'sourceAddress'>

export interface RawRequest extends RequestFields {
  readonly method: string
  readonly body?: string
  readonly hasCapitalHeaders?: true
  /** True if the body is sent in two chunks without a Content-Length. */
  readonly isChunked?: boolean
  /** Byte offsets at which the body is split. */
  readonly splits?: readonly number[]
  /** True if the sender waits for 100 Continue, but at most one second, before it sends the body. */
  readonly expectsContinue?: boolean
  /**
   * The sender closes the connection when the receiver calls the service about this object. If calls are not observable, the
   * sender closes the connection after a short time.
   */
  readonly hangUpOnCallFor?: ObjectRef
}

/** The effects of the platform, which a run can observe if `effects` is configured. */
export interface EffectWatch {
  readonly observable: boolean
  read(target: ObjectRef): Promise<EffectState>
  /** Waits for this number of effects, then for repeated effects. Any activity of the receiver restarts both waits. */
  settle(target: ObjectRef, effects: number): Promise<EffectState>
  /** Waits until the receiver reports this state, and then for repeated effects as `settle` does. */
  settleState(target: ObjectRef, state: string): Promise<EffectState>
  /** Waits for this number of effects. Does not wait for repeated effects, because a second read follows at the end of the run. */
  reach(target: ObjectRef, effects: number): Promise<EffectState>
  reachState(target: ObjectRef, state: string): Promise<EffectState>
  /** Returns the delay of effects, measured in all checks of this run. Without `type`, covers all types. */
  delay(type?: string): SeenDelay
}

/** The receiver's calls to the service, observable if the receiver calls back. */
export interface CallWatch {
  readonly observable: boolean
  /** Lists the calls about this object, oldest first. */
  about(target: ObjectRef): Promise<readonly RequestRecord[]>
  /** Waits for the first call about the object, but at most as long as an effect may take. Returns all calls about the object. */
  settle(target: ObjectRef): Promise<readonly RequestRecord[]>
  /** Waits for more than `most` calls, or for a window without calls. Lists all calls about the object. */
  settleAtMost(target: ObjectRef, most: number): Promise<readonly RequestRecord[]>
  /** Waits longer than `settleAtMost`, to include token requests and retry delays, which the check cannot see. */
  outlast(target: ObjectRef, most: number): Promise<readonly RequestRecord[]>
  /** Returns all calls of the run about objects that no check has created. */
  strays(): Promise<readonly RequestRecord[]>
}

/** An outage in which every delivery fails. The failed jobs can be listed until the check ends. */
export interface Outage {
  /** The reason why a registration of the receiver failed. Undefined if every registration succeeded. */
  readonly obstacle: string | undefined
  /** Advances the clock past the last retry. Returns the number of failed notifications. */
  outlast(): Promise<number>
}
