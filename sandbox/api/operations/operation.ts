import type { Inputs, OperationId, Outputs } from '../../../spec/generated/service-operations.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Egress } from '../../engine/delivery/egress.ts'
import type { FaultRule } from '../../engine/state/fault.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import type { Payment } from '../../engine/state/payment.ts'
import type { Exchange } from '../../engine/core/ports.ts'
import type { ChosenReadings, Credentials } from '../../engine/core/settings.ts'
import type { AccountOwner, CraftedDelivery, Generation, Registration } from '../../engine/state/entries.ts'
import type { View } from '../../engine/state/view.ts'
import type { Translator } from '../../../spec/vocabulary.ts'

/**
 * One operation of the service API: decides the reply, and what to store, without doing either. The pipeline checks the
 * reply against the spec before it commits the writes.
 */
export type Operation<Id extends OperationId> = (input: Inputs[Id], context: Context) => Decision<Outputs[Id]>

/** Leaving an operation out is a type error. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> }

/** What an operation may look at. */
export interface Context {
  readonly view: View
  readonly readings: ReadingValues
  readonly credentials: Credentials
  /** The platform's words for what the document writes neutrally. */
  readonly translator: Translator
  readonly egress: Egress
  /** Sandbox time, epoch milliseconds. */
  readonly now: () => number
  /** Real time, epoch milliseconds: what a recording lag is measured on. */
  readonly realNow: () => number
  readonly newId: () => string
  /** For objects with an integer id. */
  readonly newNumber: () => number
}

/** What an operation decides: the reply, or what must be done before it can decide. `Given` is what may be done. */
export type Decision<Body, Given = Acts> = Reply<Body> | ActFirst<Body, Given> | Stream<Body>

export interface Reply<Body> {
  readonly kind: 'reply'
  readonly status: number
  readonly body: Body
  readonly writes: readonly Write[]
}

/** To decide, something must be done, and it must be known what came of it. Made by `actFirst`. */
export interface ActFirst<Body, Given> {
  readonly kind: 'act-first'
  /** Does it; what it resolves to decides, looking at the world as it is then. */
  readonly act: (acts: Given) => Promise<() => Decision<Body, Given>>
}

/** The reply is what happens from now on, until the caller goes away. */
export interface Stream<Event> {
  readonly kind: 'stream'
  /** The id of what came last before it begins: where a reader goes on that is cut off before the first event. */
  readonly after: string
  /** Tells of each event; returns the way to end it. */
  readonly follow: (tell: (event: Event) => void) => () => void
}

/** What an operation of the service may have done. */
export interface Acts {
  /** Counts the worlds that there were: another number is another world. */
  readonly world: number
  /** Posts the test message as the service does. Webhooks are signed where the reading says so; callbacks never are. */
  testPost(url: string, generation: Generation): Promise<Exchange>
  issueToken(): Promise<string>
}

/** Does `act` first, then decides on its result. */
export function actFirst<Result, Body, Given = Acts>(
  act: (acts: Given) => Promise<Result>,
  decide: (result: Result) => Decision<Body, Given>,
): ActFirst<Body, Given> {
  return {
    kind: 'act-first',
    async act(acts) {
      const result = await act(acts)
      return () => decide(result)
    },
  }
}

/**
 * The same for what must not begin in one world and end in another: if the sandbox was reset, or a snapshot put back, by the
 * time of the decision, it ends with ApiError `conflict`.
 */
export function actInOneWorld<Result, Body, Given extends Acts = Acts>(
  act: (acts: Given) => Promise<Result>,
  decide: (result: Result) => Decision<Body, Given>,
): ActFirst<Body, Given> {
  return {
    kind: 'act-first',
    async act(acts) {
      const began = acts.world
      const result = await act(acts)
      return () => {
        if (acts.world === began) return decide(result)
        const message = 'Cannot go on: the sandbox was reset, or a snapshot put back, meanwhile'
        throw new ApiError('conflict', message)
      }
    },
  }
}

export type Write =
  | ObjectWrite
  | RegistrationWrite
  | DeletionWrite
  | PaymentWrite
  | SecretWrite
  | ReadingsWrite
  | FaultWrite
  | FaultEndWrite
  | FaultUseWrite
  | CraftedWrite

/** An object as it is from now on. Triggers its notifications, unless it says otherwise. */
export interface ObjectWrite {
  readonly kind: 'object'
  readonly object_type: NotifiedType
  readonly object: ObjectByType[NotifiedType]
  readonly silent?: boolean
  /** For an account: whose it is, and of which kind. */
  readonly owner?: AccountOwner
}

/** A payment as it stands from now on. */
export interface PaymentWrite {
  readonly kind: 'payment'
  readonly payment: Payment
}

export interface RegistrationWrite {
  readonly kind: 'registration'
  readonly registration: Registration
}

export interface DeletionWrite {
  readonly kind: 'deletion'
  readonly registration: Registration
}

/** Reading: signature */
export interface SecretWrite {
  readonly kind: 'secret'
  readonly secret_key: string
  /** Real time, epoch milliseconds. */
  readonly set_at: number
}

export interface ReadingsWrite {
  readonly kind: 'readings'
  readonly chosen: ChosenReadings
}

export interface FaultWrite {
  readonly kind: 'fault'
  readonly fault: FaultRule
}

export interface FaultEndWrite {
  readonly kind: 'fault-end'
  readonly fault_id: string
}

/** A fault has matched, and applied or not. */
export interface FaultUseWrite {
  readonly kind: 'fault-use'
  readonly fault_id: string
  readonly applied: boolean
  readonly job_id?: string
  readonly attempt?: number
}

/** A delivery outside the service's own behaviour. */
export interface CraftedWrite {
  readonly kind: 'crafted'
  readonly crafted: CraftedDelivery
}

export function reply<Body>(status: number, body: Body, writes: readonly Write[] = []): Reply<Body> {
  return { kind: 'reply', status, body, writes }
}

/** Sandbox time as bodies and records print it. Source: §2.3 */
export function timestamp(time: number): string {
  return new Date(time).toISOString()
}
