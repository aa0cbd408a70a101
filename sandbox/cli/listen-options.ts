import { Option, type Command } from 'commander'
import type { ConfigFile } from '../../spec/generated/config-types.ts'
import { parseAddress, parseHost } from '../adapters/host-names.ts'
import type { ListenPlace } from '../adapters/listen-place.ts'
import { commandLine, quoteForShell } from '../engine/core/command-line.ts'
import { defaultCredentials, type Credentials } from '../engine/core/settings.ts'
import { UsageError } from './failure.ts'
import { collect } from './option-values.ts'

/** Where others may reach a sandbox, and by what. */
export interface ListenFlags {
  readonly listen?: string
  readonly allowedHost?: readonly string[]
  readonly token?: string
}

export function withListenOptions(command: Command): Command {
  return command
    .option(
      '--listen <address>',
      'let others reach it at this address of the machine, 0.0.0.0 for all: over HTTPS, and only with --allowed-host, a token and credentials of your own',
    )
    .option(
      '--allowed-host <name>',
      'with --listen: what others call it by, name or name:port; repeatable',
      collect,
    )
    .addOption(
      new Option('--token <token>', 'the token of the bench (default: a fresh one)').env('HOOKBENCH_TOKEN'),
    )
}

/** What else decides whether it is safe to let others in. */
interface Protection {
  readonly token: string | undefined
  readonly credentials: Credentials
  readonly data: string
}

/** Undefined for loopback only. Throws UsageError that names all that is missing, and the command that has it. */
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
      `Cannot allow host "${hosts[0]}": a sandbox that nobody else can reach answers to no other name; add --listen ADDRESS, or leave it out`,
    )
  }
  const place = { address: requireAddress(address), allowedHosts: [...new Set(hosts)] }
  if (https === false)
    throw new UsageError(
      `Cannot listen on ${place.address} with "https" false: others are answered over HTTPS only; leave it out`,
    )
  const problems = findProblems(place, protection)
  if (problems.length === 0) return place
  const what = problems.map(({ problem }) => problem).join('; ')
  throw new UsageError(
    `Cannot listen on ${place.address}, where others can reach it: ${what}. Type: ${formatCommand(place, problems, protection.data)}`,
  )
}

function requireAddress(text: string): string {
  const address = parseAddress(text)
  if (address !== undefined) return address
  throw new UsageError(
    `Cannot listen on "${text}": it takes an IP address of this machine, such as 0.0.0.0 for all that it has; what others call it by goes to --allowed-host`,
  )
}

function requireHost(text: string): string {
  const host = parseHost(text)
  if (host !== undefined) return host
  throw new UsageError(
    `Cannot allow host "${text}": it takes a name or an address that others call the sandbox by, such as hookbench or hookbench:4011`,
  )
}

/** What is missing, and what the command that has it says in its place. */
interface Problem {
  readonly problem: string
  readonly option?: string
  readonly variable?: string
}

function findProblems({ allowedHosts }: ListenPlace, { token, credentials }: Protection): readonly Problem[] {
  const { client_secret, api_token } = credentials
  const host = {
    problem: '--allowed-host is missing, the name that others call it by',
    option: '--allowed-host NAME',
  }
  return [
    ...(allowedHosts.length === 0 ? [host] : []),
    ...findWeakness('the token of the bench', 'HOOKBENCH_TOKEN', [token]),
    ...findWeakness('the client secret', 'HOOKBENCH_CLIENT_SECRET', [client_secret, token]),
    ...findWeakness('the API token', 'HOOKBENCH_API_TOKEN', [api_token, token]),
  ]
}

const LEAST_CHARACTERS = 32
const LEAST_DIFFERENT = 8

/** What somebody typed who had to type something, or took from a page. */
const EXAMPLE = /change.?me|example|password|passwort|secret|sandbox|hookbench|replace|placeholder|insert/i

/** Why it does not keep others out; never says the secret. The second, if there is one, must be another than the first. */
function findWeakness(
  name: string,
  variable: string,
  [secret, other]: readonly (string | undefined)[],
): readonly Problem[] {
  const state = weaknessOf(secret, other)
  return state === undefined ? [] : [{ problem: `${name} ${state}`, variable }]
}

function weaknessOf(secret: string | undefined, other: string | undefined): string | undefined {
  if (secret === undefined || secret === '') return 'is missing'
  if (secret === defaultCredentials.client_secret || secret === defaultCredentials.api_token)
    return 'is the one that every sandbox has'
  if (secret.length < LEAST_CHARACTERS)
    return `has ${secret.length} characters, of at least ${LEAST_CHARACTERS}`
  if (!/^[\x21-\x7e]+$/.test(secret)) return 'has characters that a header cannot hold'
  if (new Set(secret).size < LEAST_DIFFERENT || EXAMPLE.test(secret))
    return 'can be guessed: take a random one'
  return secret === other ? 'is the token of the bench, too: take another' : undefined
}

function formatCommand(
  { address, allowedHosts }: ListenPlace,
  problems: readonly Problem[],
  data: string,
): string {
  const variables = problems.flatMap(({ variable }) => (variable === undefined ? [] : [variable]))
  const fresh = variables.map((variable) => `${variable}=$(openssl rand -hex 32)`)
  const hosts = allowedHosts.map((host) => `--allowed-host ${quoteForShell(host)}`)
  const missing = problems.flatMap(({ option }) => (option === undefined ? [] : [option]))
  const command = commandLine(['up', `--listen ${address}`, ...hosts, ...missing].join(' '), data)
  return fresh.length === 0 ? command : `export ${fresh.join(' ')}; ${command}`
}
