import { LIFECYCLES } from '../../../spec/generated/lifecycles.ts'
import { objectState } from '../../../spec/models.ts'
import type { NotifiedType, ObjectByType } from '../../../spec/notifications.ts'

interface Transition {
  readonly from: string | null
  readonly to: string
  readonly trigger: string
}

/** The section or the reading that justifies an entry of `lifecycles.yaml`. */
export interface SpecOrigin {
  readonly source?: string
  readonly reading?: string
}

interface Lifecycle {
  readonly states: Readonly<Record<string, SpecOrigin & { readonly code?: number }>>
  readonly moves: SpecOrigin
  readonly transitions?: readonly Transition[]
  /** The transitions of each kind of object. The key is `type/type_method`. */
  readonly kinds?: Readonly<Record<string, readonly Transition[]>>
}

export const LIFECYCLE_BY_TYPE: { readonly [Type in NotifiedType]: Lifecycle } = LIFECYCLES.objects

/** Returns the documented transitions of an object. Returns undefined if the service's document shows no transitions. */
export function findTransitions<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): readonly Transition[] | undefined {
  const { transitions, kinds } = LIFECYCLE_BY_TYPE[type]
  const kind = ['type', 'type_method'].map((field) => String(Reflect.get(object, field))).join('/')
  return kinds ? kinds[kind] : transitions
}

/**
 * Returns the documented next states. Undefined if no transitions are documented, because any state is then possible. Reading:
 * unshown-transitions
 */
export function nextStates<Type extends NotifiedType>(
  type: Type,
  object: ObjectByType[Type],
): readonly string[] | undefined {
  const state = objectState(type, object)
  return findTransitions(type, object)
    ?.filter(({ from }) => from === state)
    .map(({ to }) => to)
}

/** Returns the documented first state, if any. Calls `example` only for a type that has several kinds. Source: §3 */
export function firstState<Type extends NotifiedType>(
  type: Type,
  example: () => ObjectByType[Type],
): string | undefined {
  const { transitions, kinds } = LIFECYCLE_BY_TYPE[type]
  const shown = kinds ? findTransitions(type, example()) : transitions
  return shown?.find(({ from }) => from === null)?.to
}
