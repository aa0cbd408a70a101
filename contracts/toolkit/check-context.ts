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
import type { FaultMatch, FaultRequest, RequestRecord } from '../../spec/generated/control-types.ts'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { PaymentKind } from '../../spec/payments.ts'

/** A check of this catalogue. */
export type ReceiverCheck = Check<CheckContext>

/**
 * What a check may do with the receiver under test and with the service that it asks back, and what it sees. Everything is
 * in the log of the check's run. Ids are fresh, drawn from the run's seed and salt and the check's id, so that checks run side by
 * side and a run can be repeated. The service notifies nobody by itself: the check sends what it means to.
 */
export interface CheckContext {
  readonly profile: Profile
  readonly receiver: ReceiverUrls
  readonly service: ServiceObjects
  /** Uniform in [0, 1); the same numbers in every run with the seed. */
  readonly random: () => number
  /** The notification of an object as it is: the exact bytes that the service would send. */
  messageFor(object: ServiceObject): Message
  /** Posts a message to the receiver's URL for its type. Never rejects. */
  send(message: Message, options?: SendOptions): Promise<Exchange>
  /** Posts any bytes to any URL, as a delivery of this generation. Never rejects. */
  post(request: PostRequest): Promise<Exchange>
  /** Sends as the service does: again and again, a few times, until it is accepted. */
  sendUntilAccepted(message: Message, options?: SendOptions): Promise<Exchange>
  /** A request that is no POST, or not as the service sends it. Never rejects. */
  request(request: RawRequest): Promise<Exchange>
  /** A handshake with the receiver, without a request. */
  probeTls(type?: NotifiedType): Promise<TlsProbe>
  readonly effects: EffectWatch
  readonly calls: CallWatch
  /**
   * Waits until the receiver has dealt with what it was sent, as far as can be seen: it has asked for what it was notified of, no
   * call of it is open, and for a window nothing has happened.
   */
  rest(): Promise<void>
  /** The same, only as long as it takes to deal with one notification before the next comes. */
  pauseBetween(): Promise<void>
  /** Waits for every other check of the run, and at least so long; real milliseconds. Only for one that spans the run. */
  restOfRun(leastMs: number): Promise<void>
  /** Real milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly pause: (ms: number) => Promise<unknown>
  /** Opens an address that only the receiver has a reason to call. */
  canary(): Promise<Canary>
  /** The receiver's process; `process` is among the check's needs. */
  readonly process: ProcessHooks
  readonly reconcile: ReconcileHook
  /** Puts a sentence on record among what happened, about these objects. */
  note(text: string, ...about: readonly ObjectRef[]): void
  readonly exploration: ExplorationHook
  /** Looks once more when all checks are over and the receiver is at rest, in place of an earlier look at the object. */
  atEnd(object: ObjectRef, look: () => Promise<Finding | undefined>): void
  /** A context with ids, random numbers and a record of its own, for one of many parts that run side by side. */
  fork(name: string): ContextFork
}

export interface ContextFork {
  readonly context: CheckContext
  /** Adds its record to that of the check, as evidence. */
  adopt(): void
  /** Ends the faults that it left. */
  close(): Promise<void>
}

export interface ReceiverUrls {
  /** The types that it has a URL for, in this generation; webhooks if left out. */
  types(generation?: Generation): readonly NotifiedType[]
  /** Throws RangeError if it has none. */
  url(type: NotifiedType, generation?: Generation): string
}

/** The objects of the service. */
export interface ServiceObjects {
  /** Makes an object that the service shows from now on. Fields by the spec; what is left out is filled in. */
  create<Type extends NotifiedType>(type: Type, fields?: object): Promise<ServiceObject<Type>>
  /** The object as the service shows it now. */
  show<Type extends NotifiedType>(
    object: Pick<ServiceObject<Type>, 'type' | 'id'>,
  ): Promise<ServiceObject<Type>>
  change<Type extends NotifiedType>(object: ServiceObject<Type>, fields: object): Promise<ServiceObject<Type>>
  /** A payment to be made, and the item that it is to pay; `next` and `finish` take its steps. */
  play(kind: PaymentKind, outcome?: string, options?: PlayOptions): Promise<Play>
  /** From now on the service notifies of what happens at the receiver's URLs for these types, and nothing arrives. */
  beginOutage(types: readonly NotifiedType[]): Promise<Outage>
  /** An id that nothing has. */
  newId(): string
  /** Names an object that only a fault shows, so that calls about it count as calls about an object of this check. */
  adopt(object: ObjectRef): void
  /** What the service's clock shows, ISO 8601. */
  now(): Promise<string>
  /** Moves the service's clock, for all checks: only for one that is at the end of the run. What it shows then, ISO 8601. */
  advance(ms: number): Promise<string>
  /** Makes the service misbehave until it is stopped, or the check ends. Always matched by ids of this check. */
  disturb(
    fault: Omit<FaultRequest, 'on' | 'match'> & { readonly match: FaultMatch },
  ): Promise<{ stop(): Promise<void> }>
}

export interface ServiceObject<Type extends NotifiedType = NotifiedType> {
  readonly type: Type
  /** What it is asked for by. */
  readonly id: string
  readonly body: ObjectByType[Type]
}

export interface PlayOptions {
  /** Minor units. */
  readonly amount?: number
  readonly currency?: string
  /** How an NPP pay-in comes. */
  readonly via?: string
  /** Who pays for the item or, in a payment without one, is paid or paid out; somebody new if left out. */
  readonly user?: string
  /** An item that there is already, to be paid once more; a new one if left out. */
  readonly item?: string
  /** Of the item that is made. */
  readonly itemFields?: object
}

/** A payment under way. */
export interface Play {
  /** Whether it has taken all of its steps. */
  readonly isOver: boolean
  /** The object whose success is what a platform acts on; undefined if the kind has none. */
  readonly consequence: ObjectRef | undefined
  /** Everything it was to be notified of so far, in the document's order. */
  readonly messages: readonly Message[]
  /** Takes the next step; what it is to be notified of. Empty when there is none. */
  next(): Promise<readonly Message[]>
  /** Takes all steps that are left; what they are to be notified of. */
  finish(): Promise<readonly Message[]>
}

/** A notification as it is to be sent. */
export interface Message {
  readonly type: NotifiedType
  readonly id: string
  /** The state that it tells of; null if it tells of none. */
  readonly state: string | null
  /** For a person: `batch_transactions successful`. */
  readonly label: string
  /** The exact bytes. */
  readonly body: string
  /** What the service sends on any day, of a payment or of an object of each kind; a check may have put another body in its place. */
  readonly usualBody?: string
}

export interface SendOptions {
  readonly generation?: Generation
  readonly label?: string
  readonly role?: Exchange['role']
  readonly headers?: Readonly<Record<string, string>>
  /** One of the documented addresses, or another one, that it seems to come from. */
  readonly sourceAddress?: string
  /** Makes the signature in place of the service; null leaves it out. Only where webhooks are signed. */
  readonly signature?: MakeSignature | null
}

/** Says what the header with the signature has, at the moment of sending. Reading: signature */
export type MakeSignature = (signing: Signing) => string

export interface Signing {
  readonly secret: string
  /** Seconds since the Unix epoch, by the clock that the service signs by. */
  readonly now: number
  /** What is sent. */
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
  /** The body goes out in two chunks, and nothing says how long it is. */
  readonly isChunked?: boolean
  /** The body is sent in parts that end at these bytes. */
  readonly splits?: readonly number[]
  /** The body is sent when the receiver has answered 100, or after a second. */
  readonly expectsContinue?: boolean
  /** In place of the documented address that it seems to come from. */
  readonly sourceAddress?: string
  /** The sender hangs up as soon as the receiver asks for this object; soon, where its calls cannot be seen. */
  readonly hangUpOnCallFor?: ObjectRef
}

/** What the platform did about an object. Only where `effects` is observable. */
export interface EffectWatch {
  readonly observable: boolean
  read(target: ObjectRef): Promise<EffectState>
  /**
   * Waits until the count is this, and then the window, in which it must stay so. Both times begin anew with each thing that
   * the receiver is seen to do. The last state that was read.
   */
  settle(target: ObjectRef, effects: number): Promise<EffectState>
  /** The same for the state that the receiver believes. */
  settleState(target: ObjectRef, state: string): Promise<EffectState>
  /** The same two without the window: what comes later is for a look at the end of the run. */
  reach(target: ObjectRef, effects: number): Promise<EffectState>
  reachState(target: ObjectRef, state: string): Promise<EffectState>
  /** How late the effects of this run have come, on objects of this type or on all; those of other checks included. */
  delay(type?: string): SeenDelay
}

/** What the receiver asked the service. Only where `calls` is observable. */
export interface CallWatch {
  readonly observable: boolean
  /** The calls about this object so far, oldest first. */
  about(target: ObjectRef): Promise<readonly RequestRecord[]>
  /** Waits until there is one, as long as it may take to settle; all of them. */
  settle(target: ObjectRef): Promise<readonly RequestRecord[]>
  /** Waits until there are more than so many, or none comes for a window; all of them. */
  settleAtMost(target: ObjectRef, most: number): Promise<readonly RequestRecord[]>
  /**
   * The same for a receiver that may never stop asking: between two calls it may get a token, or be kept waiting for one, which
   * nobody sees. So once it has asked, the window is as long as an effect may take.
   */
  outlast(target: ObjectRef, most: number): Promise<readonly RequestRecord[]>
  /** Every call since the run began that is not about an object that was made. */
  strays(): Promise<readonly RequestRecord[]>
}

/** What the service cannot deliver; its jobs can be listed until the check ends. */
export interface Outage {
  /** Why a URL could not be registered; undefined if all are. */
  readonly obstacle: string | undefined
  /** Lets the time pass in which the service tries; how many notifications it has given up. */
  outlast(): Promise<number>
}
