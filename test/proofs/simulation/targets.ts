import type { Registration } from '../../../sandbox/engine/state/registration.ts'
import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { objectState } from '../../../spec/models.ts'
import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import type { World } from './world/world.ts'

/** What a command can be about, as the sandbox has it at the moment. */
export interface KnownObject {
  readonly type: NotifiedType
  readonly id: string
}

export function receiverUrl(generation: string, type: string, receiver: number): string {
  return `https://localhost:9443/${generation}/${type}/3f9c1d2ab47e805${receiver}`
}

export function registrationsOf({ sandbox }: Pick<World, 'sandbox'>): readonly Registration[] {
  const { view } = sandbox().assembled.context
  return [...view.registrations('webhooks'), ...view.registrations('callbacks')]
}

export function typeToRegister({ type }: { readonly type: number }): string {
  return DELIVERY.object_types.webhooks.value[type] ?? 'items'
}

/** The types that somebody is notified of. */
export function watchedTypes(world: Pick<World, 'sandbox'>): readonly NotifiedType[] {
  return registrationsOf(world).flatMap(({ enabled, object_type }) =>
    enabled && object_type !== 'bank_accounts' ? [object_type] : [],
  )
}

/** All objects, or those of types that somebody is notified of. */
export function objectsOf(
  world: Pick<World, 'sandbox'>,
  among: 'all' | 'watched' = 'all',
): readonly KnownObject[] {
  const { view } = world.sandbox().assembled.context
  const watched = new Set(among === 'watched' ? watchedTypes(world) : notifiedTypes)
  return notifiedTypes
    .filter((type) => watched.has(type))
    .flatMap((type) => [...view.objectIds(type)].map((id) => ({ type, id })))
}

/** The state that an object shows, if it shows any. */
export function stateOf({ type, id }: KnownObject, { sandbox }: Pick<World, 'sandbox'>): string | null {
  const stored = sandbox().assembled.context.view.object(type, id)
  return stored ? objectState(type, stored.body) : null
}

/** One of them, whatever the number. */
export function pick<Value>(values: readonly Value[], which: number): Value | undefined {
  return values[which % Math.max(1, values.length)]
}
