import { existsSync, readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FASTEST } from '../engine/core/ports.ts'
import { defaultCredentials, type Credentials } from '../engine/core/settings.ts'
import { UsageError } from './failure.ts'
import { fileProblem } from '../adapters/file-problem.ts'

/** What a config file may say; the names are those of the flags. */
export interface Config {
  readonly port?: number
  readonly bench_port?: number
  readonly data?: string
  readonly memory?: boolean
  readonly https?: boolean
  readonly clock?: 'real' | 'manual'
  readonly speed?: number
  readonly seed?: number
  readonly allow_targets?: readonly string[]
  readonly readings?: Readonly<Record<string, string>>
  readonly credentials?: Partial<Credentials>
  readonly vocabulary?: Readonly<Record<string, string>>
  readonly source_addresses?: string
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isTexts: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText)
const isTrueOrFalse: Check = (value) => typeof value === 'boolean'
const isWholeUpTo =
  (most: number): Check =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
const isCredentials: Check = (value) =>
  isTexts(value) && Object.keys(Object(value)).every((name) => Object.hasOwn(defaultCredentials, name))

const PORT = ['a whole number from 0 to 65535', isWholeUpTo(65_535)] as const

const KEYS: { readonly [Key in keyof Required<Config>]: readonly [takes: string, check: Check] } = {
  port: PORT,
  bench_port: PORT,
  data: ['a folder', isText],
  memory: ['true or false', isTrueOrFalse],
  https: ['true or false', isTrueOrFalse],
  clock: ['"real" or "manual"', (value) => value === 'real' || value === 'manual'],
  speed: [
    `a number above 0, at most ${FASTEST}`,
    (value) => typeof value === 'number' && value > 0 && value <= FASTEST,
  ],
  seed: ['a whole number from 0 to 4294967295', isWholeUpTo(2 ** 32 - 1)],
  allow_targets: [
    'a list of hosts or address ranges',
    (value) => Array.isArray(value) && value.every(isText),
  ],
  readings: ['an option for each reading id', isTexts],
  vocabulary: ['a word for each neutral word', isTexts],
  source_addresses: ['"loopback" or the name of a header', isText],
  credentials: ['client_id, client_secret, email and api_token as text', isCredentials],
}

/** The keys of a config file that say how a sandbox runs. */
export const UP_KEYS: readonly string[] = Object.keys(KEYS)

/** The keys of `hookbench check`, which may stand in the same file; that command looks at them. */
export const CHECK_KEYS: readonly string[] = [
  'receiver',
  'service',
  'effects',
  'process',
  'budgetMs',
  'warnMs',
  'settleMs',
  'window',
  'profile',
  'consequences',
  'knownFailures',
]

/** What is wrong with the value of a key; undefined if nothing is, or if the key is not one of `up`. */
export function upProblemOf(key: string, given: unknown): string | undefined {
  const known = Object.entries(KEYS).find(([name]) => name === key)?.[1]
  if (!known) return undefined
  const [takes, check] = known
  if (check(given)) return undefined
  // What credentials are is not for a log to keep, not even when they are wrong.
  const instead = key === 'credentials' ? '' : `, not ${JSON.stringify(given)}`
  return `"${key}" takes ${takes}${instead}`
}

/** Reads a .json, .yaml, .js or .ts file (its default export). Throws UsageError naming the file, the key and the remedy. */
export async function readConfig(file: string): Promise<Config> {
  const value = await readConfigFile(file)
  for (const [key, given] of Object.entries(value)) {
    if (CHECK_KEYS.includes(key)) continue
    if (!UP_KEYS.includes(key)) {
      throw new UsageError(
        `Cannot use config "${file}": there is no option "${key}"; the options are ${UP_KEYS.join(', ')}`,
      )
    }
    const problem = upProblemOf(key, given)
    if (problem !== undefined) throw new UsageError(`Cannot use config "${file}": ${problem}`)
  }
  if ('clock' in value && 'speed' in value) {
    throw new UsageError(`Cannot use config "${file}": "clock" cannot be used with "speed"; leave one out`)
  }
  return value
}

/** Reads the object that a config file is, whatever it says. Throws UsageError naming the file and the remedy. */
export async function readConfigFile(file: string): Promise<object> {
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`Cannot read config "${file}": there is no such file`)
  const value = await load(path, file)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`Cannot use config "${file}": it must be an object of options`)
  }
  return value
}

async function load(path: string, file: string): Promise<unknown> {
  try {
    switch (extname(path)) {
      case '.json':
        return JSON.parse(readFileSync(path, 'utf8'))
      case '.yaml':
      case '.yml':
        return (await import('yaml')).parse(readFileSync(path, 'utf8'))
      case '.js':
      case '.mjs':
      case '.ts': {
        const module: { readonly default?: unknown } = await import(pathToFileURL(path).href)
        return module.default
      }
      default:
        throw new UsageError(`Cannot read config "${file}": it takes a .json, .yaml, .js or .ts file`)
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`Cannot read config "${file}": ${fileProblem(cause)}`, { cause })
  }
}
