import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { configContext } from '../config/config-context.ts'
import { createRunOptions } from '../config/run-options.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { readConfigFile, UsageError } from '../../sandbox/internal.ts'

/** The flags that stand for keys of a configuration. */
export interface ConfigFlags {
  readonly config?: string
  readonly port?: string
  readonly data?: string
  readonly allowTarget?: readonly string[]
  readonly callsBack?: boolean
  readonly effects?: string
  readonly attach?: string
  readonly seed?: string
}

/** Where a configuration is looked for. */
export const FILES = ['ts', 'js', 'json', 'yaml'].map((extension) => `hookbench.config.${extension}`)

/** What to run, and what repeats it. */
export interface Told {
  readonly options: RunOptions
  /** The command line, but for the names of checks and the seed. */
  readonly command: string
}

/** Flags first, then the file. Throws UsageError with the remedy. */
export async function checkOptions(url: string | undefined, flags: ConfigFlags): Promise<Told> {
  const file = flags.config ?? (url === undefined ? FILES.find((name) => existsSync(name)) : undefined)
  if (file === undefined && url === undefined) {
    throw new UsageError(
      'Cannot check: there is no URL and no hookbench.config.ts; give the URL of your receiver, or write a configuration by "npx hookbench init"',
    )
  }
  const config = withFlags(file === undefined ? {} : await readConfigFile(file), { url, flags })
  const context = configContext({
    name: file === undefined ? 'the options' : `config "${file}"`,
    folder: file === undefined ? '.' : dirname(resolve(file)),
    bareUrl: url !== undefined,
    token: process.env['HOOKBENCH_TOKEN'] || undefined,
  })
  return {
    options: createRunOptions(config, context),
    command: commandFor(url, { ...flags, ...(file !== undefined && { config: file }) }),
  }
}

interface Given {
  readonly url: string | undefined
  readonly flags: ConfigFlags
}

/** The file's configuration with the flags in their places. */
function withFlags(config: object, { url, flags }: Given): object {
  const receiver = { ...(url !== undefined && { url }), ...(flags.callsBack === true && { callsBack: true }) }
  return {
    ...config,
    ...merged(config, 'receiver', receiver),
    ...(flags.attach === undefined
      ? merged(config, 'service', serviceFrom(flags))
      : { service: serviceFrom(flags) }),
    ...(flags.effects !== undefined && { effects: { http: flags.effects } }),
    ...(flags.seed !== undefined && { seed: whole('seed', flags.seed, 2 ** 32 - 1) }),
  }
}

function serviceFrom({ port, data, allowTarget, attach }: ConfigFlags): object {
  return {
    ...(port !== undefined && { port: whole('port', port, 65_535) }),
    ...(data !== undefined && { data }),
    ...(allowTarget !== undefined && { allowTargets: allowTarget }),
    ...(attach !== undefined && { attach }),
  }
}

/** What stands under the key, with more in it; nothing to put there if there is no more. */
function merged(config: object, key: string, more: object): object {
  if (Object.keys(more).length === 0) return {}
  const present: unknown = Reflect.get(config, key)
  return { [key]: typeof present === 'object' && present !== null ? { ...present, ...more } : more }
}

function whole(name: string, text: string, most: number): number {
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw new UsageError(`Cannot use ${name} "${text}": it takes a whole number from 0 to ${most}`)
}

/** What repeats this run but for the names of checks and the seed, for a POSIX shell. */
export function commandFor(url: string | undefined, flags: ConfigFlags): string {
  const values = [
    ['--config', flags.config],
    ['--port', flags.port],
    ['--data', flags.data],
    ['--effects', flags.effects],
    ['--attach', flags.attach],
  ] as const
  const options = [
    ...values.flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoted(value)])),
    ...(flags.callsBack === true ? ['--calls-back'] : []),
    ...(flags.allowTarget ?? []).flatMap((target) => ['--allow-target', quoted(target)]),
  ]
  return ['npx hookbench check', ...(url === undefined ? [] : [quoted(url)]), ...options].join(' ')
}

/** A word for the shell, in quotes where it needs them. */
function quoted(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
