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

/** How a payment is to go; see `hookbench play --help`. */
export type PlayOptions = Omit<PlayRequest, 'kind'>

type RegisteredReceiver = {
  /** The object type that the receiver is registered for. */
  readonly to: JobType
  /** If left out its webhook, or its callback where it has no webhook. */
  readonly generation?: Generation
  readonly url?: never
  readonly registration?: never
}

/** What to send, and where: to a URL, to a registration by its id, or to the receiver of an object type. */
export type DeliverOptions =
  | (DeliveryRequest & { readonly to?: never; readonly generation?: never })
  | (Omit<DeliveryRequest, 'url' | 'registration'> & RegisteredReceiver)

/** Which calls are meant. */
export interface RequestFilter {
  readonly object_type?: string
  readonly object_id?: string
  readonly operation?: string
}

/** What may be said of a new object; what is left out is filled in. */
export type NewFields<Type extends NotifiedType> = Partial<ObjectByType[Type]>

/** What may be changed of an object: of an account, what its body does not show. Source: §2.2. Reading: account-changes */
export type ChangedFields<Type extends NotifiedType> = Type extends 'accounts'
  ? { readonly state?: string; readonly enabled?: boolean }
  : Partial<ObjectByType[Type]>

/** A sandbox inside this process: no port, no socket, no timer that a test must wait for. */
export interface Sandbox extends DeliveryExpectations {
  readonly origin: string
  /** The service API, as a function. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The objects of each type as a `@mswjs/data` collection: query them, seed them with `create`. */
  readonly data: Data
  /** Creates an object, with what is left out filled in; resolves when its notifications were attempted. */
  create<Type extends NotifiedType>(type: Type, fields?: NewFields<Type>): Promise<ObjectByType[Type]>
  /** Changes an object; resolves when its notifications were attempted. Throws if the spec forbids the change. */
  change<Type extends NotifiedType>(
    type: Type,
    id: string,
    fields: ChangedFields<Type>,
  ): Promise<ObjectByType[Type]>
  /** Plays a payment; resolves when its notifications were attempted, or for a stepwise one those of its first step. */
  play(kind: PaymentKind, options?: PlayOptions): Promise<Payment>
  /** Everything that can be played, how it may end, and what it notifies then. */
  paymentKinds(): Promise<readonly PaymentKindInfo[]>
  /** Takes the next step of a stepwise payment. */
  next(payment: Pick<Payment, 'id'>): Promise<Payment>
  /**
   * Chooses how the next payment of the kind ends that is given no outcome of its own, such as one that your platform makes;
   * see `hookbench next-outcome --help`.
   */
  setNextOutcome(kind: PaymentKind, outcome: string): Promise<NextOutcome>
  /** What was chosen and not used yet. */
  nextOutcomes(): Promise<readonly NextOutcome[]>
  /** Lets the next payment of the kind, or of every kind, end as usual. */
  clearNextOutcomes(kind?: PaymentKind): Promise<void>
  /** Moves the clock, by a duration such as `25m` or to an instant, with every attempt that falls due on the way. */
  advance(by: string | Date): Promise<void>
  /** Moves an object to a state. Throws if the document shows its moves and this is none of them. Source: §3 */
  move<Type extends NotifiedType>(type: Type, id: string, state: string): Promise<ObjectByType[Type]>
  /** Makes one more attempt of a webhook that failed, as the operator of the service can. Source: §8 */
  resend(job: Pick<JobRecord, 'id'>): Promise<JobDetail>
  /** Sends anything to a receiver, outside the service's own behaviour. */
  deliver(request: DeliverOptions): Promise<CraftedDelivery>
  /** Where your receivers are registered, disabled ones included. */
  registrations(): Promise<readonly RegistrationRecord[]>
  /** Lets something go wrong from now on, with deliveries or with what the service is asked. */
  addFault(request: FaultRequest): Promise<Fault>
  removeFault(fault: Pick<Fault, 'id'>): Promise<void>
  clearFaults(): Promise<void>
  /** Every fault, and how often it has applied. */
  faults(): Promise<readonly Fault[]>
  /** Everything that can be made to go wrong. */
  faultKinds(): Promise<readonly FaultKindInfo[]>
  /** The calls that the service received, oldest first. */
  requests(filter?: RequestFilter): Promise<readonly RequestRecord[]>
  /** Chooses where the service's document is open, from now on. */
  setReadings(chosen: Readonly<Record<string, string>>): Promise<void>
  setClock(request: ClockRequest): Promise<Clock>
  /**
   * Resolves when nothing is due now, under way, held back by a fault or lagging. Throws what is still waited for after so
   * much real time, by default ten seconds.
   */
  settle(options?: { readonly timeoutMs?: number }): Promise<void>
  /** Begins again, with the receivers registered as at the start; a seed gives the same ids again. */
  reset(): Promise<void>
  /** The whole world, to be put back later. */
  snapshot(): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<void>
  /** Every job so far, oldest first. */
  jobs(): readonly JobRecord[]
  attempts(job: JobRecord): readonly AttemptRecord[]
  now(): Date
  /** Sends nothing more, takes no more calls, and waits for what is under way. A second call waits with the first. */
  close(): Promise<void>
  /** Closes it, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
