import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import type { Credentials } from '../core/settings.ts'

/** The default world's name. The directory does not list this world. */
export { DEFAULT_WORLD } from '../../../spec/world-name.ts'

export interface WorldRecord {
  /** A random id, which is part of access tokens. A later world of the same name has another id. */
  readonly id: string
  readonly name: string
  readonly credentials: Credentials
  /** The token of this world's control API. */
  readonly controlToken: string
  /** Real time, epoch milliseconds. */
  readonly createdAt: number
  /** The real end time of the world, or null. */
  readonly expiresAt: number | null
  /** The seed for ids. Without a seed, the ids are unpredictable. */
  readonly seed?: number | undefined
  /** The speed of the clock until a user sets it. Defaults to 1. */
  readonly speed?: number | undefined
}

/** The part of a closed world's state that is not stored in the world's rows. */
export interface WorldPause {
  /** The next due time in real time. Null if nothing is due. 0 opens the world at once. */
  readonly wakeAt: number | null
  readonly clock: { readonly at: number; readonly speed: number }
  /** The real time when the world was closed. */
  readonly realAt: number
  /** The state of the random number generator. Null without a seed. */
  readonly chance: number | null
  readonly requests: readonly RequestRecord[]
  /** The sandbox time of the first stored call. Null if all calls of this world are still stored. */
  readonly requestsSince: number | null
}

/** A kind of key that identifies one world. `user` is an e-mail and an API token, joined by `formatUser()`. */
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
