import type { Generation } from '../../../../spec/delivery.ts'
import type { Registration } from '../../../engine/state/registration.ts'
import type { RegistrationOf, SettingsView } from '../../../engine/state/view.ts'
import { parse } from '../sql.ts'
import type { World } from './world.ts'
import { readEntry } from './history.ts'

export function putRegistration(world: World, registration: Registration, position: number): void {
  const { id, generation, object_type, enabled } = registration
  const slot = enabled ? slotOf(generation, object_type) : null
  letGoRegistration(world, id)
  world.run(
    `INSERT INTO registrations (world, id, number, slot, generation, registration) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET slot = excluded.slot, registration = excluded.registration`,
    [id, position, slot, generation, JSON.stringify(registration)],
  )
}

export function removeRegistration(world: World, id: string): void {
  letGoRegistration(world, id)
  world.run('DELETE FROM registrations WHERE world = ? AND id = ?', [id])
}

/** Every attempt asks for its registration. */
const keyOf = (id: string) => `registration ${id}`

function letGoRegistration(world: World, id: string): void {
  world.letGo(ENABLED)
  world.drop(keyOf(id))
}

export function addSecret(world: World, position: number, setAt: number): void {
  world.letGo(SECRETS)
  world.run('INSERT INTO secrets (world, position, set_at) VALUES (?, ?, ?)', [position, setAt])
}

export function putReadings(world: World, chosen: Readonly<Record<string, string>>): void {
  for (const [reading, option] of Object.entries(chosen))
    world.run('INSERT OR REPLACE INTO readings (world, reading, option) VALUES (?, ?, ?)', [reading, option])
}

const ENABLED = 'enabled registrations'
/** Every attempt is signed with them. */
const SECRETS = 'secrets'
const slotOf = (generation: Generation, type: string) => `${generation}/${type}`
/** Each change of an object asks for one. */
function enabledBySlot(world: World): ReadonlyMap<string, Registration> {
  return world.held(ENABLED, () => {
    const rows = world.all<{ readonly slot: string; readonly registration: string }>(
      'SELECT slot, registration FROM registrations WHERE world = ? AND slot IS NOT NULL',
    )
    return new Map(rows.map(({ slot, registration }) => [slot, JSON.parse(registration)]))
  })
}

export function createSettingsView(world: World): SettingsView {
  return {
    registration: (id) =>
      world.cached(keyOf(id), () =>
        parse(world.value('SELECT registration FROM registrations WHERE world = ? AND id = ?', [id])),
      ),
    registrations: <Given extends Generation>(generation: Given) =>
      world
        .column<string>(
          'SELECT registration FROM registrations WHERE world = ? AND generation = ? ORDER BY number',
          [generation],
        )
        .map((registration): RegistrationOf<Given> => JSON.parse(registration)),
    enabledRegistration: (generation, type) => enabledBySlot(world).get(slotOf(generation, type)),
    secrets: () =>
      world.held(SECRETS, () =>
        world
          .all<{ readonly position: number; readonly set_at: number }>(
            'SELECT position, set_at FROM secrets WHERE world = ? ORDER BY position DESC LIMIT 2',
          )
          .map(({ position, set_at }) => ({ secret: readEntry(world, position).body, set_at })),
      ),
    readings() {
      const rows = world.all<{ readonly reading: string; readonly option: string }>(
        'SELECT reading, option FROM readings WHERE world = ?',
      )
      return Object.fromEntries(rows.map(({ reading, option }) => [reading, option]))
    },
  }
}
