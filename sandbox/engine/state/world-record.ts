import type { RequestRecord } from '../../../spec/generated/control-types.ts'
import type { Credentials } from '../core/settings.ts'

/** The directory does not list the default world. */
export { DEFAULT_WORLD } from '../../../spec/world-name.ts'

export interface WorldRecord {
  /** Random, so that a later world of the same name has another. Part of access tokens. */
  readonly id: string
  readonly name: string
  readonly credentials: Credentials
  /** Opens only its control API. */
  readonly controlToken: string
  /** Real time, epoch milliseconds. */
  readonly createdAt: number
  /** Real time. Null without an end. */
  readonly expiresAt: number | null
  /** The seed of its ids. Without a seed they cannot be predicted. */
  readonly seed?: number | undefined
  /** The speed of its clock until a user sets it. Defaults to 1. */
  readonly speed?: number | undefined
}

/** The state of a closed world besides its rows. */
export interface WorldPause {
  /** The next due time in real time. Null without one. 0 opens the world at once. */
  readonly wakeAt: number | null
  readonly clock: { readonly at: number; readonly speed: number }
  /** The real time of the close. */
  readonly realAt: number
  /** Null without a seed. */
  readonly chance: number | null
  readonly requests: readonly RequestRecord[]
  /** Sandbox time of the first kept call. Null if all calls of this world are kept. */
  readonly requestsSince: number | null
}

/** A key names one world. `user` is an e-mail and an API token, as `formatUser()` joins them. */
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
    super(`Cannot open world "${world.name}": it was removed`)
  }
}

export class WorldTakenError extends Error {
  override readonly name = 'WorldTakenError'
  readonly key: WorldKey

  constructor(key: WorldKey) {
    super(`Cannot add the world: another has its ${key}`)
    this.key = key
  }
}
