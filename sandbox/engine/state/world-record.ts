import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import type { Credentials } from '../core/settings.ts'

/** The name of the default world. The world directory does not list the default world. */
export { DEFAULT_WORLD } from '../../../spec/world-name.ts'

export interface WorldRecord {
  /** A random id, which is part of each access token. A later world with the same name has another id. */
  readonly id: string
  readonly name: string
  readonly credentials: Credentials
  readonly controlToken: string
  /** The real time of creation, in milliseconds since the Unix epoch. */
  readonly createdAt: number
  /** The real time at which the world expires, in milliseconds since the Unix epoch. Null if the world never expires. */
  readonly expiresAt: number | null
  /** The seed for ids. Without a seed, the ids are unpredictable. */
  readonly seed?: number | undefined
  /** The initial speed of the clock, until a user changes it. Defaults to 1. */
  readonly speed?: number | undefined
}

/** The part of a closed world's state that is not in the database rows. */
export interface WorldPause {
  /** The real time at which work becomes due. Null if no work becomes due, or 0 to open the world immediately. */
  readonly wakeAt: number | null
  readonly clock: { readonly at: number; readonly speed: number }
  readonly realAt: number
  /** The state of the random generator. Null if the generator has no seed. */
  readonly chance: number | null
  readonly requests: readonly RequestRecord[]
  /** The sandbox time of the oldest stored call. Null if all calls to this world are still stored. */
  readonly requestsSince: number | null
}

/** A kind of key that identifies one world. The key `user` is an e-mail address and an API token, joined by `formatUser()`. */
export type WorldKey = 'name' | 'id' | 'clientId' | 'user' | 'controlToken'

export function keyOf({ id, name, credentials, controlToken }: WorldRecord, key: WorldKey): string {
  const { client_id: clientId, email, api_token } = credentials
  return { id, name, clientId, user: formatUser(email, api_token), controlToken }[key]
}

export function formatUser(email: string, apiToken: string): string {
  return `${email}:${apiToken}`
}

export class WorldGoneError extends Error {
  override readonly name = 'WorldGoneError'

  constructor(world: Pick<WorldRecord, 'name'>) {
    super(`Cannot open world "${world.name}": the world was removed`)
  }
}

export class WorldTakenError extends Error {
  override readonly name = 'WorldTakenError'
  readonly key: WorldKey

  constructor(key: WorldKey) {
    super(`Cannot add the world: another world has the same ${key}`)
    this.key = key
  }
}
