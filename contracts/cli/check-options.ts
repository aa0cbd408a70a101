import { findConfigFile, readConfig } from '../config/config-context.ts'
import { createRunOptions } from '../config/run-options.ts'
import { listSecrets } from '../run/run-secrets.ts'
import { configLiteral } from '../report/repeat.ts'
import { withRegisteredReceiver } from '../judge/registered-receiver.ts'
import { warnOfSecrets } from './run-in-terminal.ts'
import {
  createMask,
  givenCredentials,
  MASK,
  quoteForShell,
  withoutUndefined,
  UsageError,
  wholeNumber,
  type CredentialFlags,
} from '../../sandbox/internal.ts'

export interface ConfigFlags extends CredentialFlags {
  readonly config?: string
  readonly port?: string
  readonly data?: string
  readonly allowTarget?: readonly string[]
  readonly callsBack?: boolean
  readonly effects?: string
  /** The address of a sandbox. `true` means the running sandbox of the data folder. */
  readonly attach?: string | true
  /** The name of a world. `new` creates a world that only this run uses. */
  readonly world?: string
  /** The lifetime of a new world, in milliseconds. */
  readonly ttl?: number
  readonly settle?: string
  /** The duration of the exploration, in milliseconds. */
  readonly explore?: number
  readonly seed?: string
  readonly failOn?: 'must' | 'should'
}

/** Reads the options of `check`. Flags override the configuration file. Throws UsageError for invalid options. */
export async function checkOptions(url: string | undefined, flags: ConfigFlags) {
  const { config, context, file } = await readGivenConfig(url, flags)
  const { explore: _, ...withoutExplore } = flags
  const isAttached = Reflect.get(Object(Reflect.get(config, 'service')), 'attach') !== undefined
  if (file === undefined && url === undefined && !isAttached) {
    throw new UsageError(
      'Cannot check: there is no URL and no hookbench.config.ts. Give the URL of your receiver, or write a configuration with "npx hookbench init"',
    )
  }
  const options = createRunOptions(
    isAttached ? await withRegisteredReceiver({ ...config }, context) : config,
    context,
  )
  const mask = createMask(listSecrets(options))
  const from = { mask, ...(file !== undefined && { config: file }) }
  return {
    options,
    caseWords: {
      command: formatCheckCommand('rehearse', url, { ...withoutExplore, ...from }),
      config: mask(configLiteral(file ?? config)),
    },
    command: formatCheckCommand('check', url, { ...flags, ...from }),
  }
}

/** Opens the configuration. If no receiver is given, uses the registered receiver. Warns about real secrets. */
export async function openGivenConfig(url: string | undefined, flags: ConfigFlags) {
  const { config, context, file } = await readGivenConfig(url, flags)
  const options = createRunOptions(await withRegisteredReceiver({ ...config }, context), context)
  warnOfSecrets(options)
  return { config, file, options, mask: createMask(listSecrets(options)) }
}

/** If neither `--config` nor a URL is given, searches the current folder for a configuration file. */
async function readGivenConfig(url: string | undefined, flags: ConfigFlags) {
  const file = flags.config ?? (url === undefined ? findConfigFile() : undefined)
  const given = { world: flags.world, credentials: givenCredentials(flags) }
  const { config, context } = await readConfig(file, 'the options', given)
  return { config: withFlags(config, { url, flags }), context, file }
}

function withFlags(
  config: object,
  { url, flags }: { readonly url: string | undefined; readonly flags: ConfigFlags },
): object {
  const { port, data, allowTarget, callsBack, effects, settle, explore, seed, failOn } = flags
  const targets: unknown = Reflect.get(config, 'allowTargets')
  return {
    ...config,
    ...mergeInto(config, 'receiver', withoutUndefined({ url, callsBack })),
    ...mergeInto(
      config,
      'service',
      withoutUndefined({
        attach: chooseSandbox(config, flags),
        world: flags.world,
        ttlSeconds: flags.ttl === undefined ? undefined : Math.ceil(flags.ttl / 1_000),
      }),
    ),
    ...withoutUndefined({
      port: readNumber('port', port, 65_535),
      data,
      allowTargets: allowTarget && [...(Array.isArray(targets) ? targets : []), ...allowTarget],
      effects: effects === undefined ? undefined : { http: effects },
      failOn,
      settleMs: readNumber('settle', settle, 2 ** 31 - 1),
      exploreMs: explore,
      seed: readNumber('seed', seed, 2 ** 32 - 1),
    }),
  }
}

function chooseSandbox(config: object, { attach, world }: ConfigFlags): string | true | undefined {
  const isNamed = Object.hasOwn(Object(Reflect.get(config, 'service')), 'attach')
  return attach ?? (world === undefined || isNamed ? undefined : true)
}

function mergeInto(config: object, key: string, more: object): object {
  if (Object.keys(more).length === 0) return {}
  const present: unknown = Reflect.get(config, key)
  return { [key]: typeof present === 'object' && present !== null ? { ...present, ...more } : more }
}

function readNumber(name: string, text: string | undefined, most: number): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text, { most })
}

/** Returns the POSIX shell command for a run, without seed and check ids. The command reads secrets from environment variables. */
export function formatCheckCommand(
  words: string,
  url: string | undefined,
  { mask, ...flags }: ConfigFlags & { readonly mask: (text: string) => string },
): string {
  const urlWord = url === undefined ? [] : [quoteUrl(mask(url), 'HOOKBENCH_URL_TOKEN')]
  const values = [
    ['--config', flags.config],
    ['--port', flags.port],
    ['--data', flags.data],
    ['--settle', flags.settle],
    ['--explore', flags.explore === undefined ? undefined : `${flags.explore}ms`],
    ['--world', flags.world],
    ['--client-id', flags.clientId],
    ['--email', flags.email],
  ] as const
  const options = [
    ...values.flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoteForShell(value)])),
    ...(flags.effects === undefined
      ? []
      : ['--effects', quoteUrl(mask(flags.effects), 'HOOKBENCH_EFFECTS_TOKEN')]),
    ...(flags.ttl === undefined ? [] : ['--ttl', `${Math.ceil(flags.ttl / 1_000)}s`]),
    ...(flags.clientSecret === undefined ? [] : ['--client-secret "$HOOKBENCH_CLIENT_SECRET"']),
    ...(flags.apiToken === undefined ? [] : ['--api-token "$HOOKBENCH_API_TOKEN"']),
    ...(flags.attach === undefined ? [] : ['--attach']),
    ...(typeof flags.attach === 'string' ? [quoteForShell(flags.attach)] : []),
    ...(flags.callsBack === undefined ? [] : [flags.callsBack ? '--calls-back' : '--no-calls-back']),
    ...(flags.allowTarget ?? []).flatMap((target) => ['--allow-target', quoteForShell(target)]),
  ]
  return [`npx hookbench ${words}`, ...urlWord, ...options].join(' ')
}

/** Quotes a URL for the shell. Replaces secrets with shell variables. If a variable is not set, the shell reports an error. */
function quoteUrl(masked: string, variable: string): string {
  if (!masked.includes(MASK)) return quoteForShell(masked)
  let count = 0
  const escaped = masked.replaceAll(/["$`\\]/g, String.raw`\$&`)
  const named = escaped.replaceAll(MASK, () => `\${${variable}${++count === 1 ? '' : `_${count}`}:?}`)
  return `"${named}"`
}
