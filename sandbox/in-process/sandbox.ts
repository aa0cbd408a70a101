import type {
  Clock,
  ClockRequest,
  CraftedDelivery,
  DeliveryRequest,
  Fault,
  FaultKindInfo,
  FaultRequest,
  JobDetail,
  NextOutcome,
  Payment,
  PaymentKindInfo,
  PlayRequest,
  RegistrationRecord,
  RequestRecord,
  Snapshot,
} from '../../spec/generated/control-types.ts'
import type { Generation } from '../../spec/delivery.ts'
import type { PaymentKind } from '../../spec/payments.ts'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { Data } from './data.ts'
import type { AttemptRecord } from '../engine/state/queries/jobs.ts'
import type { DeliveryExpectations } from './deliveries.ts'
import type { JobRecord, JobType } from '../engine/state/job.ts'

/** The options of a payment. See `hookbench play --help`. */
export type PlayOptions = Omit<PlayRequest, 'kind'>

type RegisteredReceiver = {
  /** The object type of the receiver's registration. */
  readonly to: JobType
  /** The generation of the registration. Defaults to the webhook, or to the callback of a type without webhooks. */
  readonly generation?: Generation
  readonly url?: never
  readonly registration?: never
}

/** The body and the receiver, by URL, registration id or object type. */
export type DeliverOptions =
  | (DeliveryRequest & { readonly to?: never; readonly generation?: never })
  | (Omit<DeliveryRequest, 'url' | 'registration'> & RegisteredReceiver)

/** A filter of calls. */
export interface RequestFilter {
  readonly object_type?: string
  readonly object_id?: string
  readonly operation?: string
}

/** The fields of a new object. Omitted ones are filled in. */
export type NewFields<Type extends NotifiedType> = Partial<ObjectByType[Type]>

/** The changeable fields of an object, for an account those outside its body. Source: §2.2. Reading: account-changes */
export type ChangedFields<Type extends NotifiedType> = Type extends 'accounts'
  ? { readonly state?: string; readonly enabled?: boolean }
  : Partial<ObjectByType[Type]>

/** A sandbox in this process. It needs no port, no socket and no timer that a test must wait for. */
export interface Sandbox extends DeliveryExpectations {
  readonly origin: string
  /** The service API as a function. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The objects of each type as a `@mswjs/data` collection. Query them, or seed them with `create`. */
  readonly data: Data
  /** Creates an object and fills in omitted fields. Resolves when its notifications were attempted. */
  create<Type extends NotifiedType>(type: Type, fields?: NewFields<Type>): Promise<ObjectByType[Type]>
  /** Changes an object. Resolves when its notifications were attempted. Throws if the spec forbids the change. */
  change<Type extends NotifiedType>(
    type: Type,
    id: string,
    fields: ChangedFields<Type>,
  ): Promise<ObjectByType[Type]>
  /** Plays a payment. Resolves when its notifications were attempted, or the first step's for a stepwise payment. */
  play(kind: PaymentKind, options?: PlayOptions): Promise<Payment>
  /** Lists the kinds of payments, their outcomes and notifications. */
  paymentKinds(): Promise<readonly PaymentKindInfo[]>
  /** Takes the next step of a stepwise payment. */
  next(payment: Pick<Payment, 'id'>): Promise<Payment>
  /**
   * Chooses the outcome of the next payment of the kind without an outcome of its own, such as your platform's. See
   * `hookbench next-outcome --help`.
   */
  setNextOutcome(kind: PaymentKind, outcome: string): Promise<NextOutcome>
  /** Lists the chosen outcomes that are not used yet. */
  nextOutcomes(): Promise<readonly NextOutcome[]>
  /** Removes the chosen outcome of the kind, or of every kind. */
  clearNextOutcomes(kind?: PaymentKind): Promise<void>
  /** Moves the clock by a duration such as `25m`, or to an instant, with every attempt that falls due on the way. */
  advance(by: string | Date): Promise<void>
  /** Moves an object to a state. Throws if the document shows the object's moves without this one. Source: §3 */
  move<Type extends NotifiedType>(type: Type, id: string, state: string): Promise<ObjectByType[Type]>
  /** Makes one more attempt of a failed webhook, as the operator of the service can. Source: §8 */
  resend(job: Pick<JobRecord, 'id'>): Promise<JobDetail>
  /** Sends any body to a receiver, outside the service's own behaviour. */
  deliver(request: DeliverOptions): Promise<CraftedDelivery>
  /** Lists the registrations of your receivers, also disabled ones. */
  registrations(): Promise<readonly RegistrationRecord[]>
  /** Adds a fault for deliveries or for calls of the service. */
  addFault(request: FaultRequest): Promise<Fault>
  removeFault(fault: Pick<Fault, 'id'>): Promise<void>
  clearFaults(): Promise<void>
  /** Lists every fault and how often it has applied. */
  faults(): Promise<readonly Fault[]>
  /** Lists the kinds of faults. */
  faultKinds(): Promise<readonly FaultKindInfo[]>
  /** Lists the calls that the service received, oldest first. */
  requests(filter?: RequestFilter): Promise<readonly RequestRecord[]>
  /** Chooses options of readings from now on. */
  setReadings(chosen: Readonly<Record<string, string>>): Promise<void>
  setClock(request: ClockRequest): Promise<Clock>
  /**
   * Resolves when no work is due, in flight, held back by a fault or lagging. Throws with the remaining work after
   * `timeoutMs` of real time, by default ten seconds.
   */
  settle(options?: { readonly timeoutMs?: number }): Promise<void>
  /** Starts again with the receivers registered as at the start. A seed gives the same ids again. */
  reset(): Promise<void>
  /** Returns the whole world, to be restored later. */
  snapshot(): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<void>
  /** Lists every job so far, oldest first. */
  jobs(): readonly JobRecord[]
  attempts(job: JobRecord): readonly AttemptRecord[]
  now(): Date
  /** Stops sending and taking calls, and waits for work in flight. A second call waits with the first. */
  close(): Promise<void>
  /** Closes the sandbox, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
