import type { Generation } from '../../../../spec/delivery.ts'
import type { Registration } from '../../../engine/state/registration.ts'
import type { RegistrationOf, SettingsView } from '../../../engine/state/view.ts'
import type { World } from './world.ts'
import { readEntry } from './history.ts'

interface RegistrationRow {
  readonly registration: string
}

export function putRegistration(world: World, registration: Registration, position: number): void {
  const { id, generation, object_type, enabled } = registration
  const slot = enabled ? slotOf(generation, object_type) : null
  world.drop(ENABLED)
  world.run(
    `INSERT INTO registrations (world, id, number, slot, generation, registration) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET slot = excluded.slot, registration = excluded.registration`,
    [id, position, slot, generation, JSON.stringify(registration)],
  )
}

export function removeRegistration(world: World, id: string): void {
  world.drop(ENABLED)
  world.run('DELETE FROM registrations WHERE world = ? AND id = ?', [id])
}

export function addSecret(world: World, position: number, setAt: number): void {
  world.run('INSERT INTO secrets (world, position, set_at) VALUES (?, ?, ?)', [position, setAt])
}

export function putReadings(world: World, chosen: Readonly<Record<string, string>>): void {
  for (const [reading, option] of Object.entries(chosen))
    world.run('INSERT OR REPLACE INTO readings (world, reading, option) VALUES (?, ?, ?)', [reading, option])
}

const ENABLED = 'enabled registrations'
const slotOf = (generation: Generation, type: string) => `${generation}/${type}`
const toRegistration = (row: RegistrationRow): Registration => JSON.parse(row.registration)

export function createSettingsView(world: World): SettingsView {
  /** Each change of an object asks for one. */
  const enabledBySlot = () =>
    world.cached(ENABLED, () => {
      const rows = world.all<RegistrationRow & { readonly slot: string }>(
        'SELECT slot, registration FROM registrations WHERE world = ? AND slot IS NOT NULL',
      )
      return new Map(rows.map((row) => [row.slot, toRegistration(row)]))
    })

  return {
    registration(id) {
      const row = world.get<RegistrationRow>(
        'SELECT registration FROM registrations WHERE world = ? AND id = ?',
        [id],
      )
      return row && toRegistration(row)
    },
    registrations: <Given extends Generation>(generation: Given) =>
      world
        .all<RegistrationRow>(
          'SELECT registration FROM registrations WHERE world = ? AND generation = ? ORDER BY number',
          [generation],
        )
        .map(toRegistration)
        .filter((each): each is RegistrationOf<Given> => each.generation === generation),
    enabledRegistration: (generation, type) => enabledBySlot().get(slotOf(generation, type)),
    secrets: () =>
      world
        .all<{ readonly position: number; readonly set_at: number }>(
          'SELECT position, set_at FROM secrets WHERE world = ? ORDER BY position DESC LIMIT 2',
        )
        .map(({ position, set_at }) => ({ secret: readEntry(world, position).body, set_at })),
    readings() {
      const rows = world.all<{ reading: string; option: string }>(
        'SELECT reading, option FROM readings WHERE world = ?',
      )
      return Object.fromEntries(rows.map(({ reading, option }) => [reading, option]))
    },
  }
}
