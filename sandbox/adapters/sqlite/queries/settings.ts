import type { Registration } from '../../../engine/state/registration.ts'
import type { Generation } from '../../../../spec/delivery.ts'
import type { Sql } from '../sql.ts'

/** What a world has few of: registrations, secrets and chosen readings. */
export interface Settings {
  putRegistration(registration: Registration, position: number): void
  removeRegistration(id: string): void
  registration(id: string): Registration | undefined
  /** Oldest first. */
  registrations(generation: Generation): readonly Registration[]
  enabledRegistration(generation: Generation, type: string): Registration | undefined
  addSecret(position: number, setAt: number): void
  /** The two newest, the newest first. */
  secrets(): readonly { readonly position: number; readonly set_at: number }[]
  putReadings(chosen: Readonly<Record<string, string>>): void
  readings(): Readonly<Record<string, string>>
  /** Forgets what was read, after a rollback. */
  forget(): void
}

interface RegistrationRow {
  readonly registration: string
}

const toRegistration = (row: RegistrationRow | undefined): Registration | undefined =>
  row && JSON.parse(row.registration)

export function createSettings(sql: Sql, world: number): Settings {
  const upsert = sql(`
    INSERT INTO registrations (world, id, number, slot, generation, registration) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET slot = excluded.slot, registration = excluded.registration`)
  const remove = sql('DELETE FROM registrations WHERE world = ? AND id = ?')
  const select = sql<RegistrationRow>('SELECT registration FROM registrations WHERE world = ? AND id = ?')
  const selectAll = sql<RegistrationRow>(
    'SELECT registration FROM registrations WHERE world = ? AND generation = ? ORDER BY number',
  )
  const selectEnabled = sql<RegistrationRow>(
    'SELECT registration FROM registrations WHERE world = ? AND slot = ?',
  )
  // Each change of an object asks.
  const enabledBySlot = new Map<string, Registration | undefined>()
  const insertSecret = sql('INSERT INTO secrets (world, position, set_at) VALUES (?, ?, ?)')
  const selectSecrets = sql<{ position: number; set_at: number }>(
    'SELECT position, set_at FROM secrets WHERE world = ? ORDER BY position DESC LIMIT 2',
  )
  const putReading = sql('INSERT OR REPLACE INTO readings (world, reading, option) VALUES (?, ?, ?)')
  const selectReadings = sql<{ reading: string; option: string }>(
    'SELECT reading, option FROM readings WHERE world = ?',
  )
  return {
    putRegistration(registration, position) {
      enabledBySlot.clear()
      const { id, generation, object_type, enabled } = registration
      const slot = enabled ? slotOf(generation, object_type) : null
      upsert.run(world, id, position, slot, generation, JSON.stringify(registration))
    },
    removeRegistration(id) {
      enabledBySlot.clear()
      remove.run(world, id)
    },
    registration: (id) => toRegistration(select.get(world, id)),
    registrations: (generation) =>
      selectAll.all(world, generation).flatMap((row) => toRegistration(row) ?? []),
    enabledRegistration(generation, type) {
      const slot = slotOf(generation, type)
      if (!enabledBySlot.has(slot)) enabledBySlot.set(slot, toRegistration(selectEnabled.get(world, slot)))
      return enabledBySlot.get(slot)
    },
    addSecret: (position, setAt) => insertSecret.run(world, position, setAt),
    secrets: () => selectSecrets.all(world),
    putReadings(chosen) {
      for (const [reading, option] of Object.entries(chosen)) putReading.run(world, reading, option)
    },
    readings: () =>
      Object.fromEntries(selectReadings.all(world).map(({ reading, option }) => [reading, option])),
    forget: () => enabledBySlot.clear(),
  }
}

const slotOf = (generation: Generation, type: string) => `${generation}/${type}`
