import { LIFECYCLES } from './generated/lifecycles.ts'
import type { ItemState } from './generated/service-types.ts'

const itemStates: Readonly<Record<string, { readonly code: number }>> = LIFECYCLES.objects.items.states

/** The code that goes with a state of an item; undefined if there is no such state. Source: §2.5. Reading: item-states */
export function itemStatus(state: string): number | undefined {
  return Object.hasOwn(itemStates, state) ? itemStates[state]?.code : undefined
}

const initial: ItemState = LIFECYCLES.objects.items.initial

/** How an item begins. Source: §2.5 */
export const initialItem = { state: initial, status: LIFECYCLES.objects.items.states[initial].code }
