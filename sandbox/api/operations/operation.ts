import type { Inputs, OperationId, Outputs } from '../../../spec/generated/service-operations.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import type { Exchange } from '../../engine/core/ports.ts'
import type { Credentials } from '../../engine/core/settings.ts'
import type { Egress } from '../../engine/delivery/egress.ts'
import type { EngineContext } from '../../engine/objects/draws.ts'
import type { Write } from '../../engine/state/write.ts'
import type { Generation } from '../../../spec/delivery.ts'

/**
 * One operation of the service API: decides the reply, and what to store, without doing either. The pipeline checks the
 * reply against the spec before it commits the writes.
 */
export type Operation<Id extends OperationId> = (input: Inputs[Id], context: Context) => Decision<Outputs[Id]>

/** Leaving an operation out is a type error. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> }

/** What an operation may look at. */
export interface Context extends EngineContext {
  readonly credentials: Credentials
  readonly egress: Egress
}

/** What an operation decides: the reply, or what must be done before it can decide. `Available` is what may be done. */
export type Decision<Body, Available = Actions> = Reply<Body> | PerformFirst<Body, Available> | Stream<Body>

export interface Reply<Body> {
  readonly kind: 'reply'
  readonly status: number
  readonly body: Body
  readonly writes: readonly Write[]
}

/** To decide, something must be done, and it must be known what came of it. Made by `performFirst`. */
export interface PerformFirst<Body, Available> {
  readonly kind: 'perform-first'
  /** Does it; what it resolves to decides, looking at the world as it is then. */
  readonly perform: (actions: Available) => Promise<() => Decision<Body, Available>>
}

/** The reply is what happens from now on, until the caller goes away. */
export interface Stream<Event> {
  readonly kind: 'stream'
  /** The id of what came last before it begins: where a reader goes on that is cut off before the first event. */
  readonly after: string
  /** Calls `onMore` when something has happened that is to be read. */
  readonly follow: (onMore: () => void) => Cursor<Event>
}

/** A place in what happens. What is to be read is kept once for all who read. */
export interface Cursor<Event> {
  /** Whether it has fallen so far behind that what follows is no longer known. */
  readonly isLost: boolean
  /** The event after it; undefined if there is none yet, or none any more. */
  next(): Event | undefined
  end(): void
}

/** What an operation of the service may have done. */
export interface Actions {
  /** Counts resets and restored snapshots: what began in one epoch must not end in another. */
  readonly epoch: number
  /** Posts the test message as the service does. Webhooks are signed where the reading says so; callbacks never are. */
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

/** Performs, then replies with the result. */
export function replyAfter<Body, Available = Actions>(
  status: number,
  perform: (actions: Available) => Promise<Body>,
): PerformFirst<Body, Available> {
  return performFirst(perform, (body) => reply(status, body))
}

/**
 * The same for what must not begin in one epoch and end in another: if the sandbox was reset, or a snapshot put back, by the
 * time of the decision, it ends with ApiError `conflict`.
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
