import type { WorldPause, WorldRecord } from '../../sandbox/engine/state/world-directory.ts'

/** A world whose keys are made of its name. */
export function worldRecord(name: string, fields: Partial<WorldRecord> = {}): WorldRecord {
  return {
    id: `id-of-${name}`,
    name,
    credentials: {
      client_id: `client-${name}`,
      client_secret: `secret-${name}`,
      email: `${name}@example.test`,
      api_token: `token-${name}`,
    },
    controlToken: `control-${name}`,
    createdAt: Date.parse('2026-01-01T00:00:00.000Z'),
    expiresAt: null,
    ...fields,
  }
}

/** Nothing is due in it. */
export function worldPause(fields: Partial<WorldPause> = {}): WorldPause {
  const at = Date.parse('2026-01-01T00:00:00.000Z')
  return {
    wakeAt: null,
    clock: { at, speed: 1 },
    realAt: at,
    chance: null,
    requests: [],
    requestsSince: null,
    ...fields,
  }
}
