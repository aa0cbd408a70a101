import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import type { Credentials } from '../core/settings.ts'
import type { Store } from './store.ts'

/** No directory has it. */
export { DEFAULT_WORLD } from '../../../spec/world-name.ts'

/** A world as it is known without being open. */
export interface WorldRecord {
  /** Random: a later world of the same name has another. Access tokens carry it. */
  readonly id: string
  readonly name: string
  readonly credentials: Credentials
  /** Opens its control API, and nothing else. */
  readonly controlToken: string
  /** Real time, epoch milliseconds. */
  readonly createdAt: number
  /** When it is removed, in real time; null if it stays. */
  readonly expiresAt: number | null
  /** What its ids are drawn from; they cannot be foretold if left out. */
  readonly seed?: number | undefined
  /** How fast its clock goes until somebody sets it; 1 if left out. */
  readonly speed?: number | undefined
}

/** How a world stood when it was closed while nothing was under way in it, beside its rows: it continues from there. */
export interface WorldPause {
  /** When something falls due in it, in real time; null if nothing will, 0 if it is to be opened at once. */
  readonly wakeAt: number | null
  readonly clock: { readonly at: number; readonly speed: number }
  /** The real time that it was then. */
  readonly realAt: number
  /** Where a seeded random stands; null for one that cannot be predicted. */
  readonly chance: number | null
  /** The calls of the service API. */
  readonly requests: readonly RequestRecord[]
  /** From when on all of them are kept, in sandbox time; null if all of this world are. */
  readonly requestsSince: number | null
}

/** What names one world: credentials are of one world each. */
export interface WorldKeys {
  readonly name: string
  readonly id: string
  readonly clientId: string
  /** E-mail and API token as basic authentication has them, with a colon in between. */
  readonly user: string
  readonly controlToken: string
}

export type WorldKey = keyof WorldKeys

/** What names the world. */
export function keyOf({ id, name, credentials, controlToken }: WorldRecord, key: WorldKey): string {
  const { client_id: clientId, email, api_token } = credentials
  return { id, name, clientId, user: formatUser(email, api_token), controlToken }[key]
}

/** As basic authentication has it. */
export function formatUser(email: string, apiToken: string): string {
  return `${email}:${apiToken}`
}

/** The worlds besides the default one. */
export interface WorldDirectory {
  /** True if there are none. */
  readonly isEmpty: boolean
  list(): readonly WorldRecord[]
  find(key: WorldKey, value: string): WorldRecord | undefined
  /**
   * Adds the world with the entries that `fill` commits. `fill` returns how the world stands then. Nobody finds the world before it is
   * whole, and nothing of it is left if that fails. Throws WorldTakenError for a name or credentials of another world, and StorageError.
   */
  add(world: WorldRecord, fill?: (store: Store) => Promise<WorldPause | undefined>): Promise<void>
  /**
   * Forgets the world at once, so that nobody finds it any more, and removes its rows once `close` has resolved. Does nothing for an
   * unknown id.
   */
  remove(id: string, close: () => Promise<void>): Promise<void>
  /** Opens the world, once at a time. Throws WorldGoneError and StorageError. */
  openStore(world: WorldRecord): Store
  /** When the world is to be opened by itself, in real time; null if never, 0 if at once, since it was not closed cleanly. */
  wakeAt(world: WorldRecord): number | null
  /** Keeps how it stands, once it is closed. */
  keepPause(world: WorldRecord, pause: WorldPause): void
  /** Returns how it stood, once: from now on it is not closed cleanly. Undefined if it was not closed cleanly before. */
  takePause(world: WorldRecord): WorldPause | undefined
  /** Where a snapshot of the world is kept during a run of checks; undefined if the world ends with the process. */
  recoveryPath(world: WorldRecord): string | undefined
}

/** The world was removed, while somebody was about to open it. */
export class WorldGoneError extends Error {
  override readonly name = 'WorldGoneError'

  constructor(world: Pick<WorldRecord, 'name'>) {
    super(`Cannot open world "${world.name}": it was removed`)
  }
}

/** Something that is of one world each is of another one. */
export class WorldTakenError extends Error {
  override readonly name = 'WorldTakenError'
  readonly key: WorldKey

  constructor(key: WorldKey) {
    super(`Cannot add the world: another has its ${key}`)
    this.key = key
  }
}
