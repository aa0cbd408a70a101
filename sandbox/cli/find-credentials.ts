import type { WorldDetail } from '../../spec/generated/control-types.ts'
import { DEFAULT_WORLD } from '../../spec/world-name.ts'
import { RefusedError } from '../client/requests.ts'
import type { Perform } from '../compose/perform.ts'
import type { Credentials } from '../engine/core/settings.ts'
import { resolveCredentials } from './credential-options.ts'
import { UsageError } from './failure.ts'
import { withoutUndefined } from './option-values.ts'

/** The given parts of the service credentials. */
interface GivenClient {
  readonly world?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

/**
 * Finds the credentials for the service: the given ones, else the world's own. Throws UsageError for a client
 * id of another world, because credentials choose the world of a service call.
 */
export async function findCredentials(given: GivenClient, perform: Perform): Promise<Credentials> {
  const { world, clientId, clientSecret } = given
  const asGiven = resolveCredentials(withoutUndefined({ clientId, clientSecret }))
  if (world === undefined && clientId !== undefined && clientSecret !== undefined) return asGiven
  const own = await readWorld(world, perform)
  if (own === undefined) return asGiven
  const { client_id, email, api_token } = own.access
  if (clientId === undefined || clientId === client_id)
    return { client_id, client_secret: clientSecret ?? own.access.client_secret, email, api_token }
  if (world === undefined) return asGiven
  throw new UsageError(
    `Cannot call the service for world "${world}" as client "${clientId}": that client belongs to another world, and the client selects the world. Leave out the credentials, including HOOKBENCH_CLIENT_ID and HOOKBENCH_CLIENT_SECRET`,
  )
}

/** Undefined without a name if the sandbox does not list its worlds. */
async function readWorld(world: string | undefined, perform: Perform): Promise<WorldDetail | undefined> {
  try {
    return await perform('getWorld', { path: { name: world ?? (await findOwnWorld(perform)) } })
  } catch (error) {
    if (world === undefined && error instanceof RefusedError) return undefined
    throw error
  }
}

/** Returns the token's world, or the default one. */
async function findOwnWorld(perform: Perform): Promise<string> {
  const { worlds } = await perform('listWorlds')
  return worlds.some(({ name }) => name === DEFAULT_WORLD)
    ? DEFAULT_WORLD
    : (worlds[0]?.name ?? DEFAULT_WORLD)
}
