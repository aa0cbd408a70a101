import { Option, type Command } from 'commander'
import type { ConfigFile } from '../../spec/generated/config-types.ts'
import { parseAddress, parseHost } from '../adapters/listen-place.ts'
import type { ListenPlace } from '../adapters/listen-place.ts'
import { quoteForShell } from '../engine/core/command-line.ts'
import { describeWeakness } from '../engine/core/secret-strength.ts'
import type { Credentials } from '../engine/core/settings.ts'
import { UsageError } from './failure.ts'
import { collect } from './option-values.ts'

export interface ListenFlags {
  readonly listen?: string
  readonly allowedHost?: readonly string[]
  readonly token?: string
}

export function withListenOptions(command: Command): Command {
  return command
    .option(
      '--listen <address>',
      'listen on this address of the machine (0.0.0.0 for all). Requires --allowed-host, your own token and your own credentials',
    )
    .option(
      '--allowed-host <name>',
      'with --listen, a name or name:port that other machines use for the sandbox (repeatable)',
      collect,
    )
    .addOption(
      new Option('--token <token>', 'the token of the bench (default: the token of the data folder)').env(
        'HOOKBENCH_TOKEN',
      ),
    )
}

interface Protection {
  readonly token: string | undefined
  readonly credentials: Credentials
  /** The command-line arguments, starting with the command name. */
  readonly typed: readonly string[]
}

/** Returns the public address. Undefined for loopback. Throws UsageError with all missing protections and a complete command. */
export function resolveListening(
  flags: ListenFlags,
  { listen, allowedHosts, https }: Pick<ConfigFile, 'listen' | 'allowedHosts' | 'https'>,
  protection: Protection,
): ListenPlace | undefined {
  const address = flags.listen ?? listen
  const hosts = [...(allowedHosts ?? []), ...(flags.allowedHost ?? [])].map(requireHost)
  if (address === undefined) {
    if (hosts.length === 0) return undefined
    throw new UsageError(
      `Cannot allow host "${hosts[0]}": a sandbox on loopback accepts only calls to loopback names. Add --listen ADDRESS, or omit --allowed-host`,
    )
  }
  const place = { address: requireAddress(address), allowedHosts: [...new Set(hosts)] }
  if (https === false)
    throw new UsageError(
      `Cannot listen on ${place.address} with "https" false: other machines require HTTPS. Omit "https"`,
    )
  const problems = findProblems(place, protection)
  if (problems.length === 0) return place
  return refuse(place, problems, protection.typed)
}

function refuse({ address }: ListenPlace, problems: readonly Problem[], typed: readonly string[]): never {
  const what = problems.map(({ problem }) => problem)
  const variables = problems.flatMap(({ variable }) => variable ?? [])
  const options = problems.flatMap(({ option }) => option ?? [])
  const steps = [
    ...variables.map((variable) => `export ${variable}=$(openssl rand -hex 32)`),
    ['npx hookbench', ...retype(typed, variables), ...options].join(' '),
  ]
  const start = `Cannot listen on ${address}, which other machines can reach`
  throw new UsageError(`${start}: ${what.join('; ')}. Type: ${steps.join('; ')}`, {
    lines: [`${start}:`, ...what.map((each) => `  - ${each}`), 'Type:', ...steps.map((step) => `  ${step}`)],
  })
}

const SECRET_OPTION = /^--(token|client-secret|api-token)(?==|$)/

const isSecretOption = (word: string | undefined) =>
  word !== undefined && SECRET_OPTION.exec(word)?.[0] === word

/** Returns the typed command line with shell variables instead of secrets. */
function retype(typed: readonly string[], variables: readonly string[]): readonly string[] {
  return typed.flatMap((word, index) => {
    if (isSecretOption(typed[index - 1])) return []
    const [option, name = ''] = SECRET_OPTION.exec(word) ?? []
    if (option === undefined) return [quoteForShell(word)]
    const variable = name.replace('-', '_').toUpperCase()
    return variables.includes(`HOOKBENCH_${variable}`) ? [] : [option, variable]
  })
}

function requireAddress(text: string): string {
  const address = parseAddress(text)
  if (address !== undefined) return address
  throw new UsageError(
    `Cannot listen on "${text}": the value must be an IP address of this machine, or 0.0.0.0 for all addresses. Use --allowed-host for the host name`,
  )
}

function requireHost(text: string): string {
  const host = parseHost(text)
  if (host !== undefined) return host
  throw new UsageError(
    `Cannot allow host "${text}": the value must be a name or an address that other machines use for the sandbox, such as hookbench or hookbench:4011`,
  )
}

interface Problem {
  readonly problem: string
  readonly option?: string
  readonly variable?: string
}

function findProblems({ allowedHosts }: ListenPlace, { token, credentials }: Protection): readonly Problem[] {
  const { client_secret, api_token } = credentials
  const host = {
    problem: '--allowed-host is missing, the name that other machines use for the sandbox',
    option: '--allowed-host NAME',
  }
  return [
    ...(allowedHosts.length === 0 ? [host] : []),
    ...findWeakness('the token of the bench', 'HOOKBENCH_TOKEN', [token]),
    ...findWeakness('the client secret', 'HOOKBENCH_CLIENT_SECRET', [client_secret, token]),
    ...findWeakness('the API token', 'HOOKBENCH_API_TOKEN', [api_token, token]),
  ]
}

/** Describes why a secret is weak, without printing the secret. A secret equal to `other` is also weak. */
function findWeakness(name: string, variable: string, [secret, other]: readonly (string | undefined)[]) {
  const state = describeWeakness(secret, other)
  return state === undefined ? [] : [{ problem: `${name} ${state}`, variable }]
}

/** Throws UsageError for a weak token, even on loopback. Other programs and web pages on this machine could guess a weak token. */
export function requireStrongToken(token: string | undefined): void {
  const weakness = token === undefined ? undefined : describeWeakness(token, undefined)
  if (weakness === undefined) return
  throw new UsageError(
    `Cannot use the bench token from --token or HOOKBENCH_TOKEN: the token ${weakness}. Omit the token, so that the sandbox generates one, or generate a token with "openssl rand -hex 32"`,
  )
}
