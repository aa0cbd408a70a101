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
  /** The object type for which the receiver is registered. */
  readonly to: JobType
  /** The generation of the registration. Defaults to webhooks, or to callbacks for a type without webhooks. */
  readonly generation?: Generation
  readonly url?: never
  readonly registration?: never
}

/** The body of a manual delivery and its receiver: a URL, a registration id or an object type. */
export type DeliverOptions =
  | (DeliveryRequest & { readonly to?: never; readonly generation?: never })
  | (Omit<DeliveryRequest, 'url' | 'registration'> & RegisteredReceiver)

/** A filter for calls to the service API. */
export interface RequestFilter {
  readonly object_type?: string
  readonly object_id?: string
  readonly operation?: string
}

/** The fields of a new object. Omitted fields get realistic values. */
export type NewFields<Type extends NotifiedType> = Partial<ObjectByType[Type]>

/** The fields that `change` takes. An account body has no `state` or `enabled`. Source: §2.2. Reading: account-changes */
export type ChangedFields<Type extends NotifiedType> = Type extends 'accounts'
  ? { readonly state?: string; readonly enabled?: boolean }
  : Partial<ObjectByType[Type]>

/** A sandbox in this process. The sandbox uses no ports or sockets, and no timers that make tests wait. */
export interface Sandbox extends DeliveryExpectations {
  readonly origin: string
  /** The service API as a function, for requests without a network. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The objects of each type as an `@mswjs/data` collection. Query the collections, or seed objects with `create`. */
  readonly data: Data
  /** Creates an object, and fills in omitted fields. Resolves when the sandbox has tried to deliver each notification once. */
  create<Type extends NotifiedType>(type: Type, fields?: NewFields<Type>): Promise<ObjectByType[Type]>
  /** Changes an object. Resolves when the sandbox has tried to deliver each notification once. Throws if the spec forbids the change. */
  change<Type extends NotifiedType>(
    type: Type,
    id: string,
    fields: ChangedFields<Type>,
  ): Promise<ObjectByType[Type]>
  /** Plays a payment. Resolves when the resulting notifications were attempted. For a stepwise payment, only the first step is played. */
  play(kind: PaymentKind, options?: PlayOptions): Promise<Payment>
  /** Lists the kinds of payments with their outcomes and notifications. */
  paymentKinds(): Promise<readonly PaymentKindInfo[]>
  /** Takes the next step of a stepwise payment. */
  next(payment: Pick<Payment, 'id'>): Promise<Payment>
  /**
   * Sets the outcome of the next payment of this kind that has no chosen outcome, for example a payment that your platform creates. See `hookbench next-outcome
   * --help`.
   */
  setNextOutcome(kind: PaymentKind, outcome: string): Promise<NextOutcome>
  /** Lists the outcomes that were set but that no payment has used yet. */
  nextOutcomes(): Promise<readonly NextOutcome[]>
  /** Removes the outcome set for one kind, or for all kinds. */
  clearNextOutcomes(kind?: PaymentKind): Promise<void>
  /** Moves the clock by a duration such as `25m`, or to a date. Makes all delivery attempts that are due by the new time. */
  advance(by: string | Date): Promise<void>
  /** Moves an object to a state. Throws an error if the service's document does not allow this transition. Source: §3 */
  move<Type extends NotifiedType>(type: Type, id: string, state: string): Promise<ObjectByType[Type]>
  /** Makes an additional attempt to deliver a failed webhook, as the operator of the service can do. Source: §8 */
  resend(job: Pick<JobRecord, 'id'>): Promise<JobDetail>
  /** Sends a custom body to a receiver. The real service would not send this delivery. */
  deliver(request: DeliverOptions): Promise<CraftedDelivery>
  /** Lists the registrations of your receivers, including disabled registrations. */
  registrations(): Promise<readonly RegistrationRecord[]>
  /** Adds a fault for deliveries or for calls to the service. */
  addFault(request: FaultRequest): Promise<Fault>
  removeFault(fault: Pick<Fault, 'id'>): Promise<void>
  clearFaults(): Promise<void>
  /** Lists all faults, and how many times each fault was applied. */
  faults(): Promise<readonly Fault[]>
  /** Lists the kinds of faults. */
  faultKinds(): Promise<readonly FaultKindInfo[]>
  /** Lists the calls that the service received, oldest first. */
  requests(filter?: RequestFilter): Promise<readonly RequestRecord[]>
  /** Sets the options of readings for all later work. */
  setReadings(chosen: Readonly<Record<string, string>>): Promise<void>
  setClock(request: ClockRequest): Promise<Clock>
  /**
   * Resolves when no work is due, in flight, delayed by a fault or waiting for the recording lag. After `timeoutMs` of real time,
   * throws an error that lists the remaining work. `timeoutMs` defaults to ten seconds.
   */
  settle(options?: { readonly timeoutMs?: number }): Promise<void>
  /** Resets the sandbox and registers the receivers again. With a seed, the sandbox creates the same ids again. */
  reset(): Promise<void>
  /** Returns a snapshot of the complete state, which you can restore later. */
  snapshot(): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<void>
  /** Lists every job so far, oldest first. */
  jobs(): readonly JobRecord[]
  attempts(job: JobRecord): readonly AttemptRecord[]
  now(): Date
  /** Stops all sending and rejects new calls. Waits for work in flight. Repeated calls wait for the first call. */
  close(): Promise<void>
  /** Closes the sandbox, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
