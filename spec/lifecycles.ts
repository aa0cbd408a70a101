import { LIFECYCLES } from './generated/lifecycles.ts'
import type { ItemState } from './generated/service-types.ts'

const itemStates: Readonly<Record<string, { readonly code: number }>> = LIFECYCLES.objects.items.states

/** Returns the status code for the state of an item. Undefined for an unknown state. Source: §2.5. Reading: item-states */
export function itemStatus(state: string): number | undefined {
  return Object.hasOwn(itemStates, state) ? itemStates[state]?.code : undefined
}

const initial: ItemState = LIFECYCLES.objects.items.initial

/** The first state of an item. Source: §2.5 */
export const initialItem = { state: initial, status: LIFECYCLES.objects.items.states[initial].code }
