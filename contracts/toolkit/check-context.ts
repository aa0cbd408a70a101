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
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { PaymentKind } from '../../spec/payments.ts'

export type ReceiverCheck = Check<CheckContext>

/**
 * The access of a check to the receiver and to the service. The log of the check records everything. Ids are
 * drawn from the seed, the salt and the id of the check, so that concurrent runs are repeatable. The service
 * itself sends no notification. The check sends every notification.
 */
export interface CheckContext {
  readonly profile: Profile
  readonly receiver: ReceiverUrls
  readonly service: ServiceObjects
  /** Uniform in [0, 1). The same numbers in every run with this seed. */
  readonly random: () => number
  /** Returns the notification of an object with the exact bytes of the service. */
  messageFor(object: ServiceObject): Message
  /** Posts a message to the receiver's URL for its type. Never rejects. */
  send(message: Message, options?: SendOptions): Promise<Exchange>
  /** Posts any bytes to any URL as a delivery of this generation. Never rejects. */
  post(request: PostRequest): Promise<Exchange>
  /** Repeats a delivery a few times, as the service does, until it is accepted. */
  sendUntilAccepted(message: Message, options?: SendOptions): Promise<Exchange>
  /** Sends a request that is not an ordinary POST. Never rejects. */
  request(request: RawRequest): Promise<Exchange>
  /** A handshake with the receiver, without a request. */
  probeTls(type?: NotifiedType): Promise<TlsProbe>
  readonly effects: EffectWatch
  readonly calls: CallWatch
  /**
   * Waits until the receiver has finished its work. It has asked about each notification, no call is open,
   * and a window has passed without activity.
   */
  rest(): Promise<void>
  /** Waits until the receiver has finished one notification. */
  pauseBetween(): Promise<void>
  /**
   * Waits for every other check of the run, and at least this many real milliseconds. Only for checks that
   * span the run.
   */
  restOfRun(leastMs: number): Promise<void>
  /** Real milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly pause: (ms: number) => Promise<unknown>
  /** Opens an address that only the receiver has a reason to call. */
  canary(): Promise<Canary>
  /** Requires the need `process`. */
  readonly process: ProcessHooks
  readonly reconcile: ReconcileHook
  /** Logs a sentence about these objects. */
  note(text: string, ...about: readonly ObjectRef[]): void
  readonly exploration: ExplorationHook
  /** Schedules a second look at the end of the run. It replaces an earlier look at the object. */
  atEnd(object: ObjectRef, look: () => Promise<Finding | undefined>): void
  /** Creates a context with its own ids, random numbers and log, for one of many concurrent parts. */
  fork(name: string): ContextFork
}

export interface ContextFork {
  readonly context: CheckContext
  /** Adds its log to the log of the check. */
  adopt(): void
  /** Ends its faults. */
  close(): Promise<void>
}

export interface ReceiverUrls {
  /** The types with a URL in this generation. Defaults to webhooks. */
  types(generation?: Generation): readonly NotifiedType[]
  /** Throws RangeError for a type without a URL. */
  url(type: NotifiedType, generation?: Generation): string
}

export interface ServiceObjects {
  /** Creates an object that the receiver can fetch from the service. Missing fields are filled in. */
  create<Type extends NotifiedType>(type: Type, fields?: object): Promise<ServiceObject<Type>>
  change<Type extends NotifiedType>(object: ServiceObject<Type>, fields: object): Promise<ServiceObject<Type>>
  /** Makes a payment and its item. `next` and `finish` take its steps. */
  play(kind: PaymentKind, outcome?: string, options?: PlayOptions): Promise<Play>
  /** Registers the URLs for these types. The service notifies, but nothing arrives. */
  beginOutage(types: readonly NotifiedType[]): Promise<Outage>
  /** Returns an unused id. */
  newId(): string
  /** Names an object that only a fault shows, so that calls about it belong to this check. */
  adopt(object: ObjectRef): void
  /** Returns the time of the service, ISO 8601. */
  now(): Promise<string>
  /** Advances the service's clock for all checks and returns it, ISO 8601. Only at the end of the run. */
  advance(ms: number): Promise<string>
  /** Makes the service misbehave about an object of this check, until the disturbance or the check ends. */
  disturb(object: ObjectRef, fault: ServiceFault): Promise<{ stop(): Promise<void> }>
}

export type ServiceFault = Omit<FaultRequest, 'on' | 'match'>

export interface ServiceObject<Type extends NotifiedType = NotifiedType> {
  readonly type: Type
  readonly id: string
  readonly body: ObjectByType[Type]
}

export interface PlayOptions {
  /** Minor units. */
  readonly amount?: number
  readonly currency?: string
  /** The channel of an NPP pay-in. */
  readonly via?: string
  /** The paying or paid user. Defaults to a new user. */
  readonly user?: string
  /** An existing item to pay again. Defaults to a new item. */
  readonly item?: string
  /** Fields of the new item. */
  readonly itemFields?: object
}

export interface Play {
  /** True if all steps are done. */
  readonly isOver: boolean
  /** The object that a platform acts on. Undefined if the kind has none. */
  readonly consequence: ObjectRef | undefined
  /** All notifications so far, in the order of the document. */
  readonly messages: readonly Message[]
  /** Takes the next step and returns its notifications. Empty if there is none. */
  next(): Promise<readonly Message[]>
  /** Takes all remaining steps and returns their notifications. */
  finish(): Promise<readonly Message[]>
}

export interface Message {
  readonly type: NotifiedType
  readonly id: string
  /** The notified state. Null if the body names none. */
  readonly state: string | null
  /** A label such as `batch_transactions successful`. */
  readonly label: string
  /** The exact bytes. */
  readonly body: string
  /** The body that the service would send. Undefined if a check has replaced the object. */
  readonly usualBody?: string
}

export interface SendOptions {
  readonly generation?: Generation
  readonly label?: string
  readonly role?: Exchange['role']
  readonly headers?: Readonly<Record<string, string>>
  /** Defaults to a documented address. */
  readonly sourceAddress?: string
  /** Makes the signature instead of the service. Null omits it. Only for signed webhooks. */
  readonly signature?: MakeSignature | null
}

/** Returns the value of the signature header at the moment of sending. Reading: signature */
export type MakeSignature = (signing: Signing) => string

export interface Signing {
  readonly secret: string
  /** Seconds since the Unix epoch, by the clock that the service signs by. */
  readonly now: number
  readonly body: string | Uint8Array
}

export interface PostRequest extends SendOptions {
  readonly about?: ObjectRef
  readonly url: string
  readonly body: string | Uint8Array
  readonly label: string
}

export interface RawRequest {
  readonly about?: ObjectRef
  readonly method: string
  readonly url: string
  readonly label: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly hasCapitalHeaders?: true
  /** True if the body goes out in two chunks without a Content-Length. */
  readonly isChunked?: boolean
  /** The byte offsets at which the parts of the body end. */
  readonly splits?: readonly number[]
  /** True if the body waits for 100 Continue, at most a second. */
  readonly expectsContinue?: boolean
  /** Defaults to a documented address. */
  readonly sourceAddress?: string
  /**
   * The sender closes the connection once the receiver asks for this object. Without visible calls, it closes
   * after a short time.
   */
  readonly hangUpOnCallFor?: ObjectRef
}

/** The effects of the platform. Requires `effects`. */
export interface EffectWatch {
  readonly observable: boolean
  read(target: ObjectRef): Promise<EffectState>
  /**
   * Waits for this count, then for a window in which it must not change. Each activity of the receiver
   * restarts both waits. Returns the last read state.
   */
  settle(target: ObjectRef, effects: number): Promise<EffectState>
  /** Does the same for the state that the receiver believes. */
  settleState(target: ObjectRef, state: string): Promise<EffectState>
  /** Does the same without the window, because a look at the end of the run follows. */
  reach(target: ObjectRef, effects: number): Promise<EffectState>
  reachState(target: ObjectRef, state: string): Promise<EffectState>
  /** The delay of effects in this run, including other checks. Covers all types if `type` is omitted. */
  delay(type?: string): SeenDelay
}

/** The calls of the receiver to the service. Requires `calls`. */
export interface CallWatch {
  readonly observable: boolean
  /** Lists the calls about this object, oldest first. */
  about(target: ObjectRef): Promise<readonly RequestRecord[]>
  /** Waits for the first call within the settling time, then lists all. */
  settle(target: ObjectRef): Promise<readonly RequestRecord[]>
  /** Waits for more calls than `most`, or for a window without calls, then lists all. */
  settleAtMost(target: ObjectRef, most: number): Promise<readonly RequestRecord[]>
  /**
   * Does the same for a receiver that may retry forever. The window after its first call is as long as an
   * effect may take, because token requests and delays are invisible.
   */
  outlast(target: ObjectRef, most: number): Promise<readonly RequestRecord[]>
  /** Lists every call of the run about unknown objects. */
  strays(): Promise<readonly RequestRecord[]>
}

/** Failed deliveries of the service. Their jobs can be listed until the check ends. */
export interface Outage {
  /** The reason for a failed registration, otherwise undefined. */
  readonly obstacle: string | undefined
  /** Advances past the last retry and returns the number of abandoned notifications. */
  outlast(): Promise<number>
}
