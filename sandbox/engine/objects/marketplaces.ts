import { sixDigitsFor, uuidFor } from './draws.ts'
import type { ObjectFields } from './new-object-defaults.ts'

const PLACES = [
  'Banksia',
  'Canopy',
  'Dockside',
  'Estuary',
  'Foundry',
  'Gable',
  'Harbour',
  'Jetty',
  'Lantern',
  'Quarry',
]

/**
 * The marketplace that the user of an object sells in: the same in all objects of a user, with null where the object has it.
 * Source: §2.4, §2.7
 */
export function marketplaceFields({ marketplace: example, user_id }: ObjectFields): ObjectFields {
  if (typeof example !== 'object' || example === null || typeof user_id !== 'string') return {}
  const digits = String(sixDigitsFor(`marketplace ${user_id}`))
  const place = PLACES[Number(digits.at(-1))] ?? ''
  const drawn: ObjectFields = {
    group_name: `${place} Group`,
    name: `${place} Market ${digits.slice(0, 4)}`,
    short_name: `${place.slice(0, 2).toUpperCase()}${digits.slice(0, 4)}`,
    account_details: `BSB 999${digits.slice(0, 3)}, account ending ${digits.slice(3)}`,
  }
  const filled = Object.entries(example).map(([field, value]: [string, unknown]) => {
    const own = drawn[field]
    return [field, value === null || own === undefined ? value : own] as const
  })
  return { marketplace: { ...Object.fromEntries(filled), uuid: uuidFor(`marketplace ${user_id}`) } }
}
