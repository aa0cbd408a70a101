import type { Inputs, OperationId, Outputs } from '../../../spec/generated/service-operations.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import type { Exchange } from '../../engine/core/ports.ts'
import type { Credentials } from '../../engine/core/settings.ts'
import type { Egress } from '../../engine/delivery/egress.ts'
import type { EngineContext } from '../../engine/objects/draws.ts'
import type { Write } from '../../engine/state/entries.ts'
import type { Generation } from '../../../spec/delivery.ts'

/**
 * An operation of the service API. It decides the reply and the writes, and performs neither. The pipeline checks the
 * reply against the spec before it commits the writes.
 */
export type Operation<Id extends OperationId> = (input: Inputs[Id], context: Context) => Decision<Outputs[Id]>

/** A missing operation is a type error. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> }

export interface Context extends EngineContext {
  readonly credentials: Credentials
  readonly egress: Egress
}

export type Decision<Body, Available = Actions> = Reply<Body> | PerformFirst<Body, Available> | Stream<Body>

export interface Reply<Body> {
  readonly kind: 'reply'
  readonly status: number
  readonly body: Body
  readonly writes: readonly Write[]
}

export interface PerformFirst<Body, Available> {
  readonly kind: 'perform-first'
  /** Performs the actions. The returned function decides in the present world. */
  readonly perform: (actions: Available) => Promise<() => Decision<Body, Available>>
}

/** A reply that lasts until the caller goes away. */
export interface Stream<Event> {
  readonly kind: 'stream'
  /** The id of the last earlier event. A reader without an event continues from it. */
  readonly after: string
  readonly follow: (onMore: () => void) => Cursor<Event>
}

/** A place in the events, which all readers share. */
export interface Cursor<Event> {
  /** True if its next events are no longer kept. */
  readonly isLost: boolean
  next(): Event | undefined
  end(): void
}

export interface Actions {
  /** Counts resets and restored snapshots. Work of one epoch must not end in another. */
  readonly epoch: number
  /** Posts the test message of the service. Webhooks are signed if the reading says so, callbacks never are. */
  testPost(url: string, generation: Generation): Promise<Exchange>
  issueToken(): Promise<string>
}

/** Does `perform` first, then decides on its result. */
export function performFirst<Result, Body, Available = Actions>(
  perform: (actions: Available) => Promise<Result>,
  decide: (result: Result) => Decision<Body, Available>,
): PerformFirst<Body, Available> {
  return {
    kind: 'perform-first',
    async perform(actions) {
      const result = await perform(actions)
      return () => decide(result)
    },
  }
}

export function replyAfter<Body, Available = Actions>(
  status: number,
  perform: (actions: Available) => Promise<Body>,
): PerformFirst<Body, Available> {
  return performFirst(perform, (body) => reply(status, body))
}

/**
 * Performs within one epoch. Throws ApiError `conflict` if the sandbox was reset or a snapshot was restored
 * meanwhile.
 */
export function performInEpoch<Result, Body, Available extends Actions = Actions>(
  perform: (actions: Available) => Promise<Result>,
  decide: (result: Result) => Decision<Body, Available>,
): PerformFirst<Body, Available> {
  return {
    kind: 'perform-first',
    async perform(actions) {
      const began = actions.epoch
      const result = await perform(actions)
      return () => {
        if (actions.epoch === began) return decide(result)
        const message = 'Cannot continue: the sandbox was reset, or a snapshot restored, meanwhile'
        throw new ApiError('conflict', message)
      }
    },
  }
}

export function reply<Body>(status: number, body: Body, writes: readonly Write[] = []): Reply<Body> {
  return { kind: 'reply', status, body, writes }
}
