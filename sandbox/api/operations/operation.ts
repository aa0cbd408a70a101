import type { Inputs, OperationId, Outputs } from '../../../spec/generated/service-operations.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import type { Exchange } from '../../engine/core/ports.ts'
import type { Credentials } from '../../engine/core/settings.ts'
import type { Egress } from '../../engine/delivery/egress.ts'
import type { EngineContext } from '../../engine/objects/draws.ts'
import type { Write } from '../../engine/state/entries.ts'
import type { Generation } from '../../../spec/delivery.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'

/** A function that returns the reply and the writes. The pipeline then checks the reply and commits the writes. */
export type Operation<Id extends OperationId> = (input: Inputs[Id], context: Context) => Decision<Outputs[Id]>

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
  /** Performs actions. Returns a function that creates the reply from the state after these actions. */
  readonly perform: (actions: Available) => Promise<() => Decision<Body, Available>>
}

export interface Stream<Event> {
  readonly kind: 'stream'
  /** The id of the last event before the stream. A reader that has not received any event resumes after this id. */
  readonly after: string
  readonly follow: (onMore: () => void) => Cursor<Event>
}

export interface Cursor<Event> {
  /** True if the next event for this reader is no longer stored. */
  readonly isLost: boolean
  next(): Event | undefined
  end(): void
}

export interface Actions {
  /** The number of resets and restores of this world so far. An action must end in the epoch in which it started. */
  readonly epoch: number
  /** Sends the test POST of the service. A reading decides whether webhooks are signed. Callbacks are never signed. */
  testPost(url: string, generation: Generation): Promise<Exchange>
  issueToken(): Promise<string>
}

/** Finds an object by any of its ids. Throws ApiError `not-found` for an unknown id. */
export function findObject<Type extends NotifiedType>(
  type: Type,
  id: string,
  { view }: Pick<Context, 'view'>,
): ObjectByType[Type] {
  const object = view.object(type, id)
  if (!object) throw new ApiError('not-found', { field: 'id', message: 'not found' })
  return object.body
}

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

/** Performs an action within one epoch. Throws ApiError `conflict` if the sandbox was reset or restored during the action. */
export function performInEpoch<Result, Body, Available extends Actions = Actions>(
  perform: (actions: Available) => Promise<Result>,
  decide: (result: Result) => Decision<Body, Available>,
): PerformFirst<Body, Available> {
  return performFirst(
    async (actions: Available) => ({ actions, began: actions.epoch, result: await perform(actions) }),
    ({ actions, began, result }) => {
      if (actions.epoch === began) return decide(result)
      const message = 'Cannot continue: the sandbox was reset, or a snapshot was restored, in the meantime'
      throw new ApiError('conflict', message)
    },
  )
}

export function reply<Body>(status: number, body: Body, writes: readonly Write[] = []): Reply<Body> {
  return { kind: 'reply', status, body, writes }
}
