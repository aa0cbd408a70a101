import { Option, type Command } from 'commander'
import { DEFAULT_DATA_FOLDER } from '../adapters/data-folder.ts'
import { chosenReadings, defaultCredentials, type Settings } from '../settings.ts'
import { readConfig, type Config } from './config.ts'
import { UsageError } from './failure.ts'

/** What `up` and `demo` are told on the command line, before the config file fills in the rest. */
interface Flags {
  readonly port?: number
  readonly benchPort?: number
  readonly data?: string
  readonly memory?: boolean
  readonly clock?: 'real' | 'manual'
  readonly speed?: number
  readonly seed?: number
  readonly config?: string
  readonly allowTarget?: readonly string[]
  readonly reading?: readonly string[]
}

export interface UpOptions {
  readonly port: number
  readonly benchPort: number
  readonly data: string
  readonly memory: boolean
  readonly speed: number
  readonly seed: number | undefined
  readonly allowTargets: readonly string[]
  readonly settings: Settings
}

const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value]

/** The options that say how a sandbox runs. */
export function withUpOptions(command: Command): Command {
  return command
    .option('--port <port>', 'port of the service API, 0 for any free one (default: 4010)', port)
    .option('--bench-port <port>', 'port of the bench (default: 4011)', port)
    .addOption(
      new Option('--data <dir>', `data folder (default: ${DEFAULT_DATA_FOLDER})`).conflicts('memory'),
    )
    .option('--memory', 'keep nothing but certificates and token')
    .addOption(
      new Option('--clock <mode>', 'real, or manual: moved by "hookbench advance"')
        .choices(['real', 'manual'])
        .conflicts('speed'),
    )
    .option('--speed <factor>', 'sandbox seconds per real second: 300 makes five minutes a second', speed)
    .option('--seed <number>', 'repeat a run: the same ids, and with a manual clock the same times', seed)
    .option('--config <file>', 'options and readings from a .json, .yaml, .js or .ts file')
    .option('--allow-target <host>', 'deliver to this host or address range too; repeatable', collect)
    .option('--reading <id=option>', 'choose where the service leaves something open; repeatable', collect)
}

/** Flags first, then the config file, then the defaults. Throws UsageError with the remedy. */
export async function upOptions(flags: Flags, defaults: Partial<UpOptions> = {}): Promise<UpOptions> {
  const config: Config = flags.config === undefined ? {} : await readConfig(flags.config)
  const chosen = { ...config.readings, ...Object.fromEntries((flags.reading ?? []).map(pair)) }
  return {
    port: flags.port ?? config.port ?? 4010,
    benchPort: flags.benchPort ?? config.bench_port ?? 4011,
    data: flags.data ?? config.data ?? DEFAULT_DATA_FOLDER,
    memory: flags.memory ?? config.memory ?? false,
    speed: speedOf(flags) ?? speedOf(config) ?? defaults.speed ?? 1,
    seed: flags.seed ?? config.seed,
    allowTargets: [...(config.allow_targets ?? []), ...(flags.allowTarget ?? [])],
    settings: {
      readings: chosenReadings(chosen),
      credentials: { ...defaultCredentials, ...config.credentials },
    },
  }
}

function speedOf({ clock, speed: factor }: Pick<Flags, 'clock' | 'speed'>): number | undefined {
  if (clock === 'manual') return 0
  return factor ?? (clock === 'real' ? 1 : undefined)
}

function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`Cannot read reading "${text}": write it as id=option`)
  return [text.slice(0, at), text.slice(at + 1)]
}

const FASTEST = 1_000_000

export function port(text: string): number {
  return wholeNumber('port', text, 65_535)
}

function seed(text: string): number {
  return wholeNumber('seed', text, 2 ** 32 - 1)
}

function speed(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0 && value <= FASTEST) return value
  throw new UsageError(
    `Cannot run at speed "${text}": it takes a number above 0, at most ${FASTEST}; --clock manual stands still`,
  )
}

function wholeNumber(name: string, text: string, most: number): number {
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw new UsageError(`Cannot use ${name} "${text}": it takes a whole number from 0 to ${most}`)
}
