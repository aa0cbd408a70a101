import { Option, type Command } from 'commander'
import { defaultCredentials as usual, type Credentials } from '../engine/core/settings.ts'
import { UsageError } from './failure.ts'
import { withoutUndefined } from './option-values.ts'

/** Credentials from the command line or the environment. */
export interface CredentialFlags {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly email?: string
  readonly apiToken?: string
}

const CLIENT_ID = "the platform's client id"
const CLIENT_SECRET = "the platform's client secret"

export function withClientOptions(command: Command): Command {
  return command
    .addOption(credential('--client-id <id>', `${CLIENT_ID} (default: ${usual.client_id})`, 'client_id'))
    .addOption(
      credential(
        '--client-secret <secret>',
        `${CLIENT_SECRET} (default: ${usual.client_secret})`,
        'client_secret',
      ),
    )
}

export function withServiceClientOptions(command: Command): Command {
  const fallback = '(default: that of the world)'
  return command
    .addOption(credential('--client-id <id>', `${CLIENT_ID} ${fallback}`, 'client_id'))
    .addOption(credential('--client-secret <secret>', `${CLIENT_SECRET} ${fallback}`, 'client_secret'))
}

export function withUserOptions(command: Command): Command {
  return command
    .addOption(
      credential(
        '--email <address>',
        `the user's e-mail address for HTTP Basic (default: ${usual.email})`,
        'email',
      ),
    )
    .addOption(
      credential(
        '--api-token <token>',
        `the user's API token for HTTP Basic (default: ${usual.api_token})`,
        'api_token',
      ),
    )
}

/** Resolves flags first, then the environment, the config file, and the defaults. */
export function resolveCredentials(flags: CredentialFlags, config: Partial<Credentials> = {}): Credentials {
  const fallback = { ...usual, ...config }
  return {
    client_id: flags.clientId ?? fallback.client_id,
    client_secret: flags.clientSecret ?? fallback.client_secret,
    email: flags.email ?? fallback.email,
    api_token: flags.apiToken ?? fallback.api_token,
  }
}

export function givenCredentials({
  clientId: client_id,
  clientSecret: client_secret,
  email,
  apiToken: api_token,
}: CredentialFlags): Partial<Credentials> {
  return withoutUndefined({ client_id, client_secret, email, api_token })
}

/** Reads the credentials of the environment. Throws UsageError for an empty one. */
export function environmentCredentials(
  environment: Readonly<Record<string, string | undefined>>,
): Partial<Credentials> {
  const given = credentialNames.flatMap((name) => {
    const value = environment[variableName(name)]
    return value === undefined ? [] : [[name, requireText(name, value)] as const]
  })
  return Object.fromEntries(given)
}

const credentialNames = ['client_id', 'client_secret', 'email', 'api_token'] as const

function variableName(name: keyof Credentials): string {
  return `HOOKBENCH_${name.toUpperCase()}`
}

function requireText(name: keyof Credentials, text: string): string {
  if (text !== '') return text
  throw new UsageError(`Cannot use an empty ${name}: give it a value, or leave it out`)
}

function credential(flags: string, about: string, name: keyof Credentials): Option {
  return new Option(flags, about).env(variableName(name)).argParser((text) => requireText(name, text))
}
