import { digestSecret } from '../core/same-secret.ts'
import { WorldTakenError, type WorldKey, type WorldRecord } from './world-directory.ts'

/** Worlds by all that names one of them. */
export interface WorldIndex {
  readonly size: number
  /** Oldest first. */
  list(): readonly WorldRecord[]
  find(key: WorldKey, value: string): WorldRecord | undefined
  /** Takes what names it, so that no other world can have that. Nobody finds it yet. Throws WorldTakenError. */
  reserve(world: WorldRecord): void
  /** From now on it is found. */
  publish(world: WorldRecord): void
  /** It is not found any more; what names it stays taken. */
  hide(id: string): void
  /** What names it can be taken again. */
  release(world: WorldRecord): void
}

const KEYS: readonly WorldKey[] = ['name', 'clientId', 'user', 'id', 'controlToken']

/** What cannot be told from the time that looking it up takes. */
const SECRETS: ReadonlySet<WorldKey> = new Set(['user', 'controlToken'])

export function createWorldIndex(worlds: Iterable<WorldRecord> = []): WorldIndex {
  const idByKey = new Map<string, string>()
  const published = new Map<string, WorldRecord>()

  const index: WorldIndex = {
    get size() {
      return published.size
    },
    list: () => [...published.values()],
    find: (key, value) => published.get(idByKey.get(toEntry(key, value)) ?? ''),
    reserve(world) {
      const taken = KEYS.find((key) => idByKey.has(toEntry(key, keyOf(world, key))))
      if (taken !== undefined) throw new WorldTakenError(taken)
      for (const key of KEYS) idByKey.set(toEntry(key, keyOf(world, key)), world.id)
    },
    publish: (world) => void published.set(world.id, world),
    hide: (id) => void published.delete(id),
    release(world) {
      for (const key of KEYS) idByKey.delete(toEntry(key, keyOf(world, key)))
    },
  }
  for (const world of worlds) {
    index.reserve(world)
    index.publish(world)
  }
  return index
}

function toEntry(key: WorldKey, value: string): string {
  return `${key} ${SECRETS.has(key) ? digestSecret(value).toString('base64') : value}`
}

/** What names the world. */
export function keyOf({ id, name, credentials, controlToken }: WorldRecord, key: WorldKey): string {
  const { client_id: clientId, email, api_token } = credentials
  return { id, name, clientId, user: formatUser(email, api_token), controlToken }[key]
}

/** As basic authentication has it. */
export function formatUser(email: string, apiToken: string): string {
  return `${email}:${apiToken}`
}
