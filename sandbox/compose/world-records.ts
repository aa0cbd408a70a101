import type {
  World,
  WorldCopyRequest,
  WorldCredentials,
  WorldDetail,
} from '../../spec/generated/control-types.ts'
import { randomId, secretText } from '../adapters/secrets.ts'
import { ApiError, type Problem } from '../engine/core/api-error.ts'
import type { RealTime } from '../engine/core/ports.ts'
import { weaknessOf } from '../engine/core/secret-strength.ts'
import type { Credentials } from '../engine/core/settings.ts'
import { timestamp } from '../engine/core/timestamp.ts'
import { WorldTakenError, type WorldKey, type WorldRecord } from '../engine/state/world-directory.ts'
import { keyOf } from '../engine/state/world-directory.ts'

export interface RecordPorts {
  readonly realTime: Pick<RealTime, 'now'>
  /** Whether others can reach the sandbox: then secrets must be such that nobody guesses them. */
  readonly isReachable: boolean
  readonly rootToken: string
}

/** What a world begins with, beside its history. */
export type NewWorld = WorldCopyRequest & { readonly [Name in 'seed' | 'speed']?: number | undefined }

/** Throws ApiError `invalid` for secrets that can be guessed, where that matters. */
export function createRecord(
  { name, ttl_seconds, credentials = {}, ...begins }: NewWorld,
  { realTime, isReachable, rootToken }: RecordPorts,
): WorldRecord {
  if (isReachable) refuseWeak(credentials, rootToken)
  const createdAt = realTime.now()
  return {
    ...begins,
    id: randomId(),
    name,
    credentials: completeCredentials(name, credentials),
    controlToken: secretText(),
    createdAt,
    expiresAt: ttl_seconds === undefined ? null : createdAt + ttl_seconds * 1_000,
  }
}

function completeCredentials(name: string, given: WorldCredentials): Credentials {
  return {
    client_id: given.client_id ?? `${name}-${randomId().slice(0, 8)}`,
    client_secret: given.client_secret ?? secretText(),
    email: given.email ?? `${name}@example.test`,
    api_token: given.api_token ?? secretText(),
  }
}

/** The same rule as for those that the sandbox begins with. */
function refuseWeak(given: WorldCredentials, rootToken: string): void {
  for (const field of ['client_secret', 'api_token'] as const) {
    const secret = given[field]
    const weakness = secret === undefined ? undefined : weaknessOf(secret, rootToken)
    if (weakness === undefined) continue
    const message = `Cannot use the ${field} where others can reach it: it ${weakness}`
    throw new ApiError('invalid', {
      field: `credentials/${field}`,
      message,
      hint: 'leave it out to have one made',
    })
  }
}

/** Throws WorldTakenError. */
export function refuseSameKeys(world: WorldRecord, other: WorldRecord): void {
  for (const key of ['name', 'clientId', 'user', 'controlToken'] as const)
    if (keyOf(world, key) === keyOf(other, key)) throw new WorldTakenError(key)
}

export function toConflict(key: WorldKey, { name, credentials }: WorldRecord): ApiError {
  const problems: Readonly<Partial<Record<WorldKey, Problem>>> = {
    name: {
      code: 'world_taken',
      field: 'name',
      message: `Cannot add world "${name}": there is one of this name`,
    },
    clientId: {
      code: 'client_id_taken',
      field: 'credentials/client_id',
      message: `Cannot add world "${name}": another world has the client id "${credentials.client_id}"`,
      hint: 'credentials choose the world: give it others, or none to have some made',
    },
    user: {
      code: 'user_taken',
      field: 'credentials/api_token',
      message: `Cannot add world "${name}": another world has this API token with the e-mail "${credentials.email}"`,
      hint: 'credentials choose the world: give it others, or none to have some made',
    },
  }
  return new ApiError('conflict', problems[key] ?? { message: `Cannot add world "${name}": try again` })
}

export function toWorld({ name, credentials, createdAt, expiresAt }: WorldRecord, open: boolean): World {
  const { client_id, email } = credentials
  const expires_at = expiresAt === null ? null : timestamp(expiresAt)
  const at = { created_at: timestamp(createdAt), expires_at }
  return { name, open, ...at, client_id, email }
}

export function toDetail(world: WorldRecord, open: boolean): WorldDetail {
  const access = { control_token: world.controlToken, ...world.credentials }
  return { ...toWorld(world, open), access }
}
