import type {
  World,
  WorldCopyRequest,
  WorldCredentials,
  WorldDetail,
} from '../../spec/generated/control-types.ts'
import type { WorldOperations } from '../api/control/operation.ts'
import { ApiError, type Problem } from '../engine/core/api-error.ts'
import {
  DEFAULT_WORLD,
  keyOf,
  WorldGoneError,
  type WorldKey,
  type WorldRecord,
  WorldTakenError,
} from '../engine/state/world-record.ts'
import type { WorldDirectory } from '../engine/state/world-directory.ts'
import type { OpenWorld } from './open-world.ts'
import type { WorldRegistry } from './world-registry.ts'
import { randomId, secretText } from '../adapters/secrets.ts'
import type { RealTime } from '../engine/core/ports.ts'
import { describeWeakness } from '../engine/core/secret-strength.ts'
import type { Credentials } from '../engine/core/settings.ts'
import { timestamp } from '../engine/core/timestamp.ts'
import { addEnd } from '../api/http/authenticate.ts'
import { isWorldName } from '../../spec/world-name.ts'
import { correctSpelling } from '../../spec/nearest.ts'

interface AdministrationParts extends RecordParts {
  readonly directory: Pick<WorldDirectory, 'find' | 'list'>
  readonly registry: Pick<WorldRegistry, 'add' | 'isOpen' | 'remove' | 'use'>
  readonly first: WorldRecord
}

export function createWorldAdministration(parts: AdministrationParts): WorldOperations {
  const { directory, registry, first } = parts
  const isOpen = ({ id }: WorldRecord) => registry.isOpen(id)

  function find(name: string): WorldRecord {
    const found = name === DEFAULT_WORLD ? first : directory.find('name', name)
    if (found) return found
    throw unknownWorldError(name, directory)
  }

  return {
    async list() {
      return [first, ...directory.list()].map((world) => toWorld(world, isOpen(world)))
    },
    async get(name) {
      const world = find(name)
      return toDetail(world, isOpen(world))
    },
    add: (request) => addWorld(request, parts),
    async copy(name, request) {
      const source = find(name)
      const copied = registry.use(source, ({ assembled: { context, snapshots } }) => {
        const { speed } = context.clock
        return addWorld({ ...request, speed, seed: source.seed }, parts, (draft) =>
          draft.assembled.snapshots.putBack(snapshots.read()),
        )
      })
      return copied.catch((error: unknown) => {
        throw error instanceof WorldGoneError ? unknownWorldError(name, directory) : error
      })
    },
    async remove(name) {
      if (name === DEFAULT_WORLD) throw defaultWorldError()
      const world = find(name)
      const removed = toWorld(world, isOpen(world))
      await registry.remove(world)
      return removed
    },
  }
}

async function addWorld(
  request: NewWorld,
  parts: AdministrationParts,
  fill?: (draft: OpenWorld) => Promise<void>,
): Promise<WorldDetail> {
  const world = createRecord(request, parts)
  try {
    refuseSameKeys(world, parts.first)
    await parts.registry.add(world, fill)
  } catch (error) {
    throw error instanceof WorldTakenError ? toConflict(error.key, world) : error
  }
  return toDetail(world, false)
}

function defaultWorldError(): ApiError {
  return new ApiError('conflict', {
    code: 'default_world',
    message: `Cannot remove world "${DEFAULT_WORLD}": this world always exists`,
    hint: 'reset the world',
    command: 'reset',
  })
}

/** Returns operations on worlds for a token that gives access to this world only. */
export function onlyWorld(world: WorldRecord): WorldOperations {
  async function refuse(): Promise<never> {
    throw otherWorldError(world)
  }
  return {
    list: async () => [toWorld(world, true)],
    get: async (name) => (name === world.name ? toDetail(world, true) : refuse()),
    add: refuse,
    copy: refuse,
    remove: refuse,
  }
}

interface RecordParts {
  readonly realTime: Pick<RealTime, 'now'>
  /** True if other machines can reach the sandbox. If true, all secrets must be strong. */
  readonly isReachable: boolean
  readonly rootToken: string
}

type NewWorld = WorldCopyRequest & { readonly [Name in 'seed' | 'speed']?: number | undefined }

function createRecord(
  { name, ttl_seconds, credentials = {}, ...begins }: NewWorld,
  { realTime, isReachable, rootToken }: RecordParts,
): WorldRecord {
  if (isReachable) refuseWeak(credentials, rootToken)
  const createdAt = realTime.now()
  const expiresAt = ttl_seconds === undefined ? null : createdAt + ttl_seconds * 1_000
  return {
    ...begins,
    id: randomId(),
    name,
    credentials: completeCredentials(name, credentials),
    controlToken: addEnd(secretText(), expiresAt),
    createdAt,
    expiresAt,
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

/** Throws ApiError for secrets that are easy to guess. The same rule applies to the secrets of the sandbox. */
function refuseWeak(given: WorldCredentials, rootToken: string): void {
  for (const field of ['client_secret', 'api_token'] as const) {
    const secret = given[field]
    const weakness = secret === undefined ? undefined : describeWeakness(secret, rootToken)
    if (weakness === undefined) continue
    const message = `Cannot use the ${field}, because other machines can reach the sandbox: the secret ${weakness}`
    throw new ApiError('invalid', {
      field: `credentials/${field}`,
      message,
      hint: 'omit the secret, and the sandbox generates a secret',
    })
  }
}

/** Throws WorldTakenError if two worlds have the same name or credentials. */
export function refuseSameKeys(world: WorldRecord, other: WorldRecord): void {
  for (const key of ['name', 'clientId', 'user', 'controlToken'] as const)
    if (keyOf(world, key) === keyOf(other, key)) throw new WorldTakenError(key)
}

function toConflict(key: WorldKey, { name, credentials }: WorldRecord): ApiError {
  const problems: Readonly<Partial<Record<WorldKey, Problem>>> = {
    name: {
      code: 'world_taken',
      field: 'name',
      message: `Cannot add world "${name}": a world with this name exists`,
    },
    clientId: {
      code: 'client_id_taken',
      field: 'credentials/client_id',
      message: `Cannot add world "${name}": another world has the client id "${credentials.client_id}"`,
      hint: 'credentials select the world, so give other credentials. The sandbox generates omitted credentials',
    },
    user: {
      code: 'user_taken',
      field: 'credentials/api_token',
      message: `Cannot add world "${name}": another world has this API token with the e-mail "${credentials.email}"`,
      hint: 'credentials select the world, so give other credentials. The sandbox generates omitted credentials',
    },
  }
  return new ApiError(
    'conflict',
    problems[key] ?? {
      message: `Cannot add world "${name}": another world has the same random token. Try again`,
    },
  )
}

function toWorld({ name, credentials, createdAt, expiresAt }: WorldRecord, open: boolean): World {
  const { client_id, email } = credentials
  const expires_at = expiresAt === null ? null : timestamp(expiresAt)
  const at = { created_at: timestamp(createdAt), expires_at }
  return { name, open, ...at, client_id, email }
}

function toDetail(world: WorldRecord, open: boolean): WorldDetail {
  const access = { control_token: world.controlToken, ...world.credentials }
  return { ...toWorld(world, open), access }
}

/** Only callers with the root token may get this error, because its message can name other worlds. */
export function unknownWorldError(name: string, directory: Pick<WorldDirectory, 'list'>): ApiError {
  const worlds = directory.list()
  const meant = correctSpelling(name, [DEFAULT_WORLD, ...worlds.map((world) => world.name)])
  const hint = isWorldName(name)
    ? 'the --ttl of the world may have expired. Add the world, or list the existing worlds'
    : 'list the existing worlds'
  return new ApiError('not-found', {
    code: 'unknown_world',
    message: `Cannot find world "${name}"`,
    hint: meant === undefined ? hint : `did you mean "${meant}"? List the existing worlds`,
    command: 'worlds',
  })
}

export function otherWorldError({ name }: Pick<WorldRecord, 'name'>): ApiError {
  return new ApiError('forbidden', {
    code: 'other_world',
    message: `Cannot use the token of world "${name}": this token opens only that world`,
    hint: 'use the token of the whole sandbox, which "up" prints',
  })
}
