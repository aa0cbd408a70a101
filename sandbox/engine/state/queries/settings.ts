import type { Generation } from '../../../../spec/delivery.ts'
import type { PaymentKind } from '../../../../spec/payments.ts'
import type { HeadByKind, NextOutcomeHead, FaultState, Registration } from '../entries.ts'
import type { StoredWorld } from './world.ts'
import { readEntry } from './history.ts'

interface Settings {
  readonly registration: Registration
  readonly fault: FaultState
  readonly reading: string
  readonly 'next-outcome': NextOutcome
}

export interface NextOutcome {
  readonly kind: PaymentKind
  readonly outcome: string
}

interface Setting<Kind extends keyof Settings> {
  readonly kind: Kind
  readonly id: string
  readonly value: Settings[Kind]
  readonly position: number
}

export function putSetting<Kind extends keyof Settings>(world: StoredWorld, setting: Setting<Kind>): void {
  const { kind, id, position, value } = setting
  world.invalidate(kind)
  world.run(
    `INSERT INTO settings (world, kind, id, position, value) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET value = excluded.value`,
    [kind, id, position, JSON.stringify(value)],
  )
}

export function removeSetting(world: StoredWorld, kind: keyof Settings, id: string): void {
  world.invalidate(kind)
  world.run('DELETE FROM settings WHERE world = ? AND kind = ? AND id = ?', [kind, id])
}

/** Returns all settings of a kind by id, oldest first. Caches the settings, because calls and attempts read them repeatedly. */
export function settingsOf<Kind extends keyof Settings>(
  world: StoredWorld,
  kind: Kind,
): ReadonlyMap<string, Settings[Kind]> {
  return world.held(kind, () => {
    const rows = world.all<{ readonly id: string; readonly value: string }>(
      'SELECT id, value FROM settings WHERE world = ? AND kind = ? ORDER BY position',
      [kind],
    )
    return new Map(rows.map(({ id, value }) => [id, JSON.parse(value)]))
  })
}

export function putReadings(world: StoredWorld, { chosen }: HeadByKind['readings'], position: number): void {
  for (const [id, value] of Object.entries(chosen))
    putSetting(world, { kind: 'reading', id, value, position })
}

export function setNextOutcome(
  world: StoredWorld,
  { payment_kind: id, outcome }: NextOutcomeHead,
  position: number,
): void {
  if (outcome === null) return removeSetting(world, 'next-outcome', id)
  putSetting(world, { kind: 'next-outcome', id, value: { kind: id, outcome }, position })
}

const SECRETS = 'secrets'

export function forgetSecrets(world: StoredWorld): void {
  world.invalidate(SECRETS)
}

type RegistrationOf<Given extends Generation> = Extract<Registration, { readonly generation: Given }>

export function createSettingsView(world: StoredWorld) {
  const registrations = () => [...settingsOf(world, 'registration').values()]
  return {
    registration: (id: string) => settingsOf(world, 'registration').get(id),
    registrations: <Given extends Generation>(given: Given) =>
      registrations().filter(
        (registration): registration is RegistrationOf<Given> => registration.generation === given,
      ),
    enabledRegistration(given: Generation, type: Registration['object_type']): Registration | undefined {
      for (const registration of settingsOf(world, 'registration').values()) {
        const { enabled, generation, object_type } = registration
        if (enabled && generation === given && object_type === type) return registration
      }
      return undefined
    },
    /** Returns the two newest signing secrets, newest first. */
    secrets: () =>
      world.held(SECRETS, () =>
        world
          .column<number>(
            `SELECT position FROM history INDEXED BY history_secrets WHERE world = ? AND kind = 'secret'
             ORDER BY position DESC LIMIT 2`,
          )
          .flatMap((position) => {
            const { head, body } = readEntry(world, position)
            return head.kind === 'secret' ? { secret: body, set_at: head.set_at } : []
          }),
      ),
    readings: (): Readonly<Record<string, string>> => Object.fromEntries(settingsOf(world, 'reading')),
    nextOutcome: (kind: PaymentKind) => settingsOf(world, 'next-outcome').get(kind)?.outcome,
    nextOutcomes: () => [...settingsOf(world, 'next-outcome').values()],
  }
}
