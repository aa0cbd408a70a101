import type { Inputs, OperationId, Outputs } from '../../spec/generated/service-operations.ts'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { ReadingValues } from '../../spec/readings.ts'
import type { Egress } from '../delivery/egress.ts'
import type { Payment } from '../payments/payment.ts'
import type { Exchange } from '../ports.ts'
import type { ChosenReadings, Credentials } from '../settings.ts'
import type { AccountOwner, Generation, Registration } from '../state/entries.ts'
import type { View } from '../state/store.ts'
import type { Translator } from '../vocabulary.ts'

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

export type Decision<Body> = Reply<Body> | TestPostFirst<Body> | TokenFirst<Body> | AdvanceFirst<Body>

export interface Reply<Body> {
  readonly kind: 'reply'
  readonly status: number
  readonly body: Body
  readonly writes: readonly Write[]
}

/** To decide, it must be known how the URL answers the test POST. `decide` looks at the world as it is afterwards. */
export interface TestPostFirst<Body> {
  readonly kind: 'test-post-first'
  /** Webhooks are signed where the reading says so; callbacks never are. */
  readonly generation: Generation
  readonly url: string
  readonly decide: (exchange: Exchange) => Decision<Body>
}

/** To answer, an access token must be made. */
export interface TokenFirst<Body> {
  readonly kind: 'token-first'
  readonly decide: (accessToken: string) => Decision<Body>
}

/** To answer, the sandbox's clock must have moved to `to`, with every attempt that falls due on the way. */
export interface AdvanceFirst<Body> {
  readonly kind: 'advance-first'
  readonly to: number
  /** `attempts` is how many were made on the way. */
  readonly decide: (attempts: number) => Decision<Body>
}

export type Write =
  ObjectWrite | RegistrationWrite | DeletionWrite | PaymentWrite | SecretWrite | ReadingsWrite

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

export function reply<Body>(status: number, body: Body, writes: readonly Write[] = []): Reply<Body> {
  return { kind: 'reply', status, body, writes }
}

/** Sandbox time as bodies and records print it. Source: §2.3 */
export function timestamp(time: number): string {
  return new Date(time).toISOString()
}
