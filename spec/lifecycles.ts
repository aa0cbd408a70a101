import { LIFECYCLES } from './generated/lifecycles.ts'
import type { ItemState } from './generated/service-types.ts'

/** The code that goes with a state of an item. Source: §2.5. Reading: item-states */
export function itemStatus(state: ItemState): number {
  return LIFECYCLES.items.states[state].code
}

export const initialItemState = LIFECYCLES.items.initial satisfies ItemState
