import type { Generation } from '../../../../spec/delivery.ts'
import type { Registration } from '../../../engine/state/registration.ts'
import type { RegistrationOf, SettingsView } from '../../../engine/state/view.ts'
import type { World } from './world.ts'
import { readEntry } from './history.ts'

const REGISTRATIONS = 'registrations'
const SECRETS = 'secrets'

export function putRegistration(world: World, registration: Registration, position: number): void {
  world.letGo(REGISTRATIONS)
  world.run(
    `INSERT INTO registrations (world, id, number, registration) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET registration = excluded.registration`,
    [registration.id, position, JSON.stringify(registration)],
  )
}

export function removeRegistration(world: World, id: string): void {
  world.letGo(REGISTRATIONS)
  world.run('DELETE FROM registrations WHERE world = ? AND id = ?', [id])
}

export function addSecret(world: World, position: number, setAt: number): void {
  world.letGo(SECRETS)
  world.run('INSERT INTO secrets (world, position, set_at) VALUES (?, ?, ?)', [position, setAt])
}

export function putReadings(world: World, chosen: Readonly<Record<string, string>>): void {
  for (const [reading, option] of Object.entries(chosen))
    world.run('INSERT OR REPLACE INTO readings (world, reading, option) VALUES (?, ?, ?)', [reading, option])
}

/** Returns all of them, oldest first: every change of an object and every attempt asks for one. */
function listRegistrations(world: World): readonly Registration[] {
  return world.held(REGISTRATIONS, () =>
    world
      .column<string>('SELECT registration FROM registrations WHERE world = ? ORDER BY number')
      .map((registration): Registration => JSON.parse(registration)),
  )
}

export function createSettingsView(world: World): SettingsView {
  return {
    registration: (id) => listRegistrations(world).find((registration) => registration.id === id),
    registrations: <Given extends Generation>(given: Given) =>
      listRegistrations(world).filter(
        (registration): registration is RegistrationOf<Given> => registration.generation === given,
      ),
    enabledRegistration: (given, type) =>
      listRegistrations(world).find(
        ({ enabled, generation, object_type }) => enabled && generation === given && object_type === type,
      ),
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
