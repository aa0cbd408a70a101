import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import type { Credentials } from '../core/settings.ts'
import type { Log } from './log.ts'

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

/** How a world stands that was closed while nothing was under way in it, beside its log: it goes on from there. */
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

/** At once where it is known here. */
export type Awaitable<Value> = Value | Promise<Value>

/**
 * The worlds beside the default one, and where each keeps its log: files of a data folder, or a database that several sandboxes
 * use. What is found may have gone by the time it is opened.
 */
export interface WorldDirectory {
  /** Whether there are none: then nobody need ask. */
  readonly isEmpty: boolean
  list(): Awaitable<readonly WorldRecord[]>
  find(key: WorldKey, value: string): Awaitable<WorldRecord | undefined>
  /**
   * Keeps the world, with what `fill` writes to its log, which it closes, and how it stands then. Nobody finds it before it is whole, and nothing of it is left if that fails.
   * Throws WorldTakenError for a name or credentials that another world has, and StorageError.
   */
  add(world: WorldRecord, fill?: (log: Log) => Promise<WorldPause | undefined>): Promise<void>
  /**
   * Forgets it at once, so that nobody finds it any more, and removes all that it has once `close` has resolved: until then somebody
   * may use its log. Does nothing for one that there is not.
   */
  remove(id: string, close: () => Promise<void>): Promise<void>
  /** Only one at a time may be open of a world. Throws WorldGoneError, WorldElsewhereError and StorageError. */
  openLog(world: WorldRecord): Awaitable<Log>
  /** When it is to be opened by itself, in real time; null if never, 0 if at once, since it was not closed cleanly. */
  wakeAt(world: WorldRecord): number | null
  /** Keeps how it stands, once its log is closed. */
  keepPause(world: WorldRecord, pause: WorldPause): Awaitable<void>
  /** Gives how it stands, once: from now on it is not closed cleanly. Undefined where it was not before. */
  takePause(world: WorldRecord): Awaitable<WorldPause | undefined>
  /** The file of its log; undefined where it has none of its own. */
  storePath(world: WorldRecord): string | undefined
}

/** The world was removed, while somebody was about to open it. */
export class WorldGoneError extends Error {
  override readonly name = 'WorldGoneError'

  constructor(world: Pick<WorldRecord, 'name'>) {
    super(`Cannot open world "${world.name}": it was removed`)
  }
}

/** Another sandbox on the same database has the world at present. */
export class WorldElsewhereError extends Error {
  override readonly name = 'WorldElsewhereError'
  /** What the others know that one by. */
  readonly node: string

  constructor({ name }: Pick<WorldRecord, 'name'>, { node }: { readonly node: string }) {
    super(`Cannot open world "${name}": node "${node}" has it`)
    this.node = node
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
