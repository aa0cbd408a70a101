import { Option, type Command } from 'commander'
import type { WorldDetail } from '../../spec/generated/control-types.ts'
import { DEFAULT_WORLD } from '../../spec/world-name.ts'
import { RefusedError } from '../client/requests.ts'
import type { Perform } from '../compose/perform.ts'
import { defaultCredentials as usual, type Credentials } from '../engine/core/settings.ts'
import { UsageError } from './failure.ts'
import { withoutUndefined } from './option-values.ts'

export interface CredentialFlags {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly email?: string | undefined
  readonly apiToken?: string | undefined
}

const OPTIONS: { readonly [Name in keyof Credentials]: readonly [flags: string, about: string] } = {
  client_id: ['--client-id <id>', "the platform's client id"],
  client_secret: ['--client-secret <secret>', "the platform's client secret"],
  email: ['--email <address>', "the user's e-mail address for HTTP Basic"],
  api_token: ['--api-token <token>', "the user's API token for HTTP Basic"],
}

const credentialNames = ['client_id', 'client_secret', 'email', 'api_token'] as const

export function withCredentialOptions(command: Command): Command {
  for (const name of credentialNames) command.addOption(credential(name, usual[name]))
  return command
}

export function withServiceClientOptions(command: Command): Command {
  for (const name of ['client_id', 'client_secret'] as const)
    command.addOption(credential(name, 'the credential of the world'))
  return command
}

/** Resolves credentials in this order: options, environment variables, config file, defaults. */
export function resolveCredentials(flags: CredentialFlags, config: Partial<Credentials> = {}): Credentials {
  return { ...usual, ...config, ...givenCredentials(flags) }
}

export function givenCredentials(flags: CredentialFlags): Partial<Credentials> {
  const { clientId: client_id, clientSecret: client_secret, email, apiToken: api_token } = flags
  return withoutUndefined({ client_id, client_secret, email, api_token })
}

/** Throws UsageError for an empty environment variable. */
export function environmentCredentials(
  environment: Readonly<Record<string, string | undefined>>,
): Partial<Credentials> {
  const given = credentialNames.flatMap((name) => {
    const value = environment[variableName(name)]
    return value === undefined ? [] : [[name, requireText(name, value)] as const]
  })
  return Object.fromEntries(given)
}

function variableName(name: keyof Credentials): string {
  return `HOOKBENCH_${name.toUpperCase()}`
}

function requireText(name: keyof Credentials, text: string): string {
  if (text !== '') return text
  throw new UsageError(
    `Cannot use an empty ${name}: the option requires a value. Give a value, or omit the option`,
  )
}

function credential(name: keyof Credentials, fallback: string): Option {
  const [flags, about] = OPTIONS[name]
  return new Option(flags, `${about} (default: ${fallback})`)
    .env(variableName(name))
    .argParser((text) => requireText(name, text))
}

/** Returns the given credentials, or the credentials of the world. Throws UsageError for a client id of another world. */
export async function findCredentials(
  given: CredentialFlags & { readonly world?: string | undefined },
  perform: Perform,
): Promise<Credentials> {
  const { world, clientId, clientSecret } = given
  const asGiven = resolveCredentials({ clientId, clientSecret })
  if (world === undefined && clientId !== undefined && clientSecret !== undefined) return asGiven
  const own = await readWorld(world, perform)
  if (own === undefined) return asGiven
  const { client_id, email, api_token } = own.access
  if (clientId === undefined || clientId === client_id)
    return { client_id, client_secret: clientSecret ?? own.access.client_secret, email, api_token }
  if (world === undefined) return asGiven
  throw new UsageError(
    `Cannot call the service for world "${world}" as client "${clientId}": this client belongs to another world, and the client selects the world. Omit the credentials, including HOOKBENCH_CLIENT_ID and HOOKBENCH_CLIENT_SECRET`,
  )
}

/** Reads a world by name. Without a name, returns undefined if the sandbox rejects the request. */
async function readWorld(world: string | undefined, perform: Perform): Promise<WorldDetail | undefined> {
  try {
    return await perform('getWorld', { path: { name: world ?? (await findOwnWorld(perform)) } })
  } catch (error) {
    if (world === undefined && error instanceof RefusedError) return undefined
    throw error
  }
}

async function findOwnWorld(perform: Perform): Promise<string> {
  const { worlds } = await perform('listWorlds')
  return worlds.some(({ name }) => name === DEFAULT_WORLD)
    ? DEFAULT_WORLD
    : (worlds[0]?.name ?? DEFAULT_WORLD)
}
