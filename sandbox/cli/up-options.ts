import { Option, type Command } from 'commander'
import { CONFIG_DEFAULTS } from '../../spec/generated/config-schemas.ts'
import type { ConfigFile } from '../../spec/generated/config-types.ts'
import type { ServeOptions } from '../compose/serve-options.ts'
import { checkReadings } from '../engine/core/settings.ts'
import { resolveCredentials, withCredentialOptions, type CredentialFlags } from './credential-options.ts'
import { requireStrongToken, resolveListening, type ListenFlags } from './listen-options.ts'
import { parseHost } from '../adapters/listen-place.ts'
import { UsageError } from './failure.ts'
import { collect, milliseconds, speedFactor, whole, withChoices } from './option-values.ts'

type ConfigFlag =
  'port' | 'benchPort' | 'data' | 'memory' | 'https' | 'clock' | 'speed' | 'seed' | 'sourceAddresses'

interface Flags extends CredentialFlags, ListenFlags, Pick<ConfigFile, ConfigFlag | 'store'> {
  readonly lease?: number
  readonly advertise?: string
  readonly acceptLoss?: boolean
  readonly config?: string
  readonly allowTarget?: readonly string[]
  readonly reading?: readonly string[]
}

type Served =
  'port' | 'benchPort' | 'listenAt' | 'https' | 'speed' | 'seed' | 'allowTargets' | 'source' | 'settings'

export interface UpOptions extends Required<Pick<ServeOptions, Served>> {
  readonly token: string | undefined
  readonly data: string
  readonly memory: boolean
  /** The PostgreSQL database of a standby. Undefined if the store is in the data folder. */
  readonly store: StoreOptions | undefined
  /** True if the sandbox may use a store that has lost entries. */
  readonly acceptLoss: boolean
}

type Defaults = Partial<Pick<UpOptions, 'data' | 'speed'>>

export const parsePort = whole('port', { most: 65_535 })

export function withUpOptions(
  command: Command,
  { data = CONFIG_DEFAULTS.data, speed: factor = 1 }: Defaults = {},
): Command {
  const running = command
    .option(
      '--port <port>',
      `port of the service API, 0 for any free port (default: ${CONFIG_DEFAULTS.port})`,
      parsePort,
    )
    .option('--bench-port <port>', `port of the bench (default: ${CONFIG_DEFAULTS.benchPort})`, parsePort)
    .option('--data <dir>', `data folder (default: ${data})`)
    .option('--memory', 'keep the store in memory, and only certificates and the token in the data folder')
    .option('--accept-loss', 'continue with the remaining entries of a store that has lost entries')
    .option('--https', 'serve the service API over HTTPS, with a certificate of the local CA')
    .addOption(
      withChoices(new Option('--clock <mode>', 'real, or manual (moves only with "npx hookbench advance")'), [
        'real',
        'manual',
      ]).conflicts('speed'),
    )
    .option(
      '--speed <factor>',
      `sandbox seconds per real second, such as 300 for five minutes a second (default: ${factor})`,
      speedFactor('--clock manual'),
    )
    .option(
      '--seed <number>',
      'seed that gives each run the same ids, and with a manual clock also the same times',
      whole('seed', { most: 2 ** 32 - 1 }),
    )
    .option('--config <file>', 'options and readings from a .json, .yaml, .js or .ts file')
    .option('--allow-target <host>', 'also deliver to this host or address range (repeatable)', collect)
    .option(
      '--source-addresses <how>',
      'use the documented source addresses: "loopback" (127.0.0.0/8, Linux only), or the name of a header that carries them',
    )
    .option('--reading <id=option>', 'choose an option of a reading (repeatable)', collect)
  return withCredentialOptions(running)
}

export async function upOptions(flags: Flags, defaults: Defaults = {}): Promise<UpOptions> {
  const { parseSourceAddresses, readConfig } = await import('./config.ts')
  const config: ConfigFile = flags.config === undefined ? {} : await readConfig(flags.config)
  const source = flags.sourceAddresses ?? config.sourceAddresses
  const data = flags.data ?? config.data ?? defaults.data ?? CONFIG_DEFAULTS.data
  const token = flags.token || process.env['HOOKBENCH_TOKEN'] || undefined
  const credentials = resolveCredentials(flags, config.credentials)
  const listenAt = resolveListening(flags, config, { token, credentials, typed: process.argv.slice(2) })
  if (listenAt === undefined) requireStrongToken(token)
  const memory = flags.memory ?? config.memory ?? CONFIG_DEFAULTS.memory
  const store = resolveStore(flags, config)
  const { acceptLoss = false } = flags
  if (acceptLoss && (memory || store))
    throw new UsageError(
      'Cannot use --accept-loss without a store in the data folder: omit --accept-loss, or --memory and --store',
    )
  const chosen = { ...config.readings, ...Object.fromEntries((flags.reading ?? []).map(parseReading)) }
  return {
    port: flags.port ?? config.port ?? CONFIG_DEFAULTS.port,
    benchPort: flags.benchPort ?? config.benchPort ?? CONFIG_DEFAULTS.benchPort,
    listenAt,
    token,
    data,
    memory,
    store,
    acceptLoss,
    https: flags.https ?? config.https ?? CONFIG_DEFAULTS.https,
    speed: chooseSpeed(flags) ?? chooseSpeed(config) ?? defaults.speed,
    seed: flags.seed ?? config.seed,
    allowTargets: [...(config.allowTargets ?? []), ...(flags.allowTarget ?? [])],
    source: source === undefined ? undefined : parseSourceAddresses(source),
    settings: { vocabulary: config.vocabulary, readings: checkReadings(chosen), credentials },
  }
}

function chooseSpeed({ clock, speed: factor }: Pick<Flags, 'clock' | 'speed'>): number | undefined {
  if (clock === 'manual') return 0
  return factor ?? (clock === 'real' ? 1 : undefined)
}

function parseReading(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`Cannot read reading "${text}": write it as id=option`)
  return [text.slice(0, at), text.slice(at + 1)]
}

export type StoreOptions = NonNullable<ReturnType<typeof resolveStore>>

export function withStoreOption(command: Command) {
  return command
    .option(
      '--store <url>',
      'keep the worlds in PostgreSQL for a standby: postgres://user@host/database (password in HOOKBENCH_STORE or PGPASSWORD)',
    )
    .option(
      '--lease <duration>',
      'with --store, take over after this time without a renewed lease (default: 5s)',
      milliseconds('--lease', 1_000),
    )
    .option('--advertise <host>', 'the name or name:port by which other machines reach this process')
}

function resolveStore(flags: Flags, config: ConfigFile) {
  const url = flags.store ?? (process.env['HOOKBENCH_STORE'] || undefined) ?? config.store
  const { lease: leaseMs = 5_000, advertise } = flags
  if (url === undefined) return undefined
  if (flags.memory ?? config.memory ?? false)
    throw new UsageError('Cannot keep the worlds in memory and in PostgreSQL: omit --memory or --store')
  // The lease time has a minimum, because a process on a busy machine would lose a shorter lease.
  if (leaseMs < 1_000) throw new UsageError(`Cannot use --lease ${leaseMs}ms: the value must be at least 1s`)
  if (advertise !== undefined && parseHost(advertise) === undefined)
    throw new UsageError(
      `Cannot advertise "${advertise}": the value must be a name or an address, such as hookbench-a.internal or 10.0.0.5:4011`,
    )
  return { url, leaseMs, advertise }
}
