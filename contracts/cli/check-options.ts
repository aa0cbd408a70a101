import { dirname, resolve } from 'node:path'
import { configContext, findConfigFile } from '../config/config-context.ts'
import { createRunOptions, type ConfigContext, type RunPlan } from '../config/run-options.ts'
import { listSecrets } from '../run/run-secrets.ts'
import { configLiteral } from '../report/repeat.ts'
import { withRegisteredReceiver } from '../judge/registered-receiver.ts'
import {
  createMask,
  givenCredentials,
  MASK,
  quoteForShell,
  withoutUndefined,
  readConfigFile,
  UsageError,
  wholeNumber,
  type CredentialFlags,
} from '../../sandbox/internal.ts'

/** The flags that stand for keys of a configuration. */
export interface ConfigFlags extends CredentialFlags {
  readonly config?: string
  readonly port?: string
  readonly data?: string
  readonly allowTarget?: readonly string[]
  readonly callsBack?: boolean
  readonly effects?: string
  /** True for the sandbox of the data folder. */
  readonly attach?: string | true
  /** `new` for one of the run's own. */
  readonly world?: string
  /** How long that lasts at most, in milliseconds. */
  readonly ttl?: number
  readonly settle?: string
  /** Milliseconds. */
  readonly explore?: number
  readonly seed?: string
  readonly failOn?: 'must' | 'should'
}

/** A configuration with the flags in their places, and what it is read with. */
interface GivenConfig {
  readonly config: object
  readonly context: ConfigContext
  /** The file that it comes from; undefined if it comes from flags alone. */
  readonly file: string | undefined
}

/** What to run, and what repeats it. */
interface CheckOptions {
  readonly options: RunPlan
  /** The command line, but for the names of checks and the seed. */
  readonly command: string
  /** What plays a case again: the command without it, and the configuration as a TypeScript expression. */
  readonly caseWords: { readonly command: string; readonly config: string }
}

/** Flags first, then the file. Throws UsageError with the remedy. */
export async function checkOptions(url: string | undefined, flags: ConfigFlags): Promise<CheckOptions> {
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
      command: formatCommand('rehearse', url, { ...withoutExplore, ...from }),
      config: mask(configLiteral(file ?? config)),
    },
    command: formatCommand('check', url, { ...flags, ...from }),
  }
}

/** The file that is named, or else, without a URL, the one of the folder. */
export async function readGivenConfig(url: string | undefined, flags: ConfigFlags): Promise<GivenConfig> {
  const file = flags.config ?? (url === undefined ? findConfigFile() : undefined)
  const config = withFlags(file === undefined ? {} : await readConfigFile(file), { url, flags })
  const context = configContext({
    name: file === undefined ? 'the options' : `config "${file}"`,
    folder: file === undefined ? '.' : dirname(resolve(file)),
    world: flags.world,
    credentials: givenCredentials(flags),
  })
  return { config, context, file }
}

interface CommandLine {
  readonly url: string | undefined
  readonly flags: ConfigFlags
}

/** The file's configuration with the flags in their places. */
function withFlags(config: object, { url, flags }: CommandLine): object {
  const { port, data, allowTarget, callsBack, effects, settle, explore, seed, failOn } = flags
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
      allowTargets: allowTarget && [...readTargets(config), ...allowTarget],
      effects: effects === undefined ? undefined : { http: effects },
      failOn,
      settleMs: readNumber('settle', settle, 2 ** 31 - 1),
      exploreMs: explore,
      seed: readNumber('seed', seed, 2 ** 32 - 1),
    }),
  }
}

/** A world is one of a sandbox that runs. */
function chooseSandbox(config: object, { attach, world }: ConfigFlags): string | true | undefined {
  const isNamed = Object.hasOwn(Object(Reflect.get(config, 'service')), 'attach')
  return attach ?? (world === undefined || isNamed ? undefined : true)
}

/** The object that stands under the key, with more in it; nothing if there is no more. */
function mergeInto(config: object, key: string, more: object): object {
  if (Object.keys(more).length === 0) return {}
  const present: unknown = Reflect.get(config, key)
  return { [key]: typeof present === 'object' && present !== null ? { ...present, ...more } : more }
}

/** The targets that the file allows; whether they are right is for the schema to say. */
function readTargets(config: object): readonly unknown[] {
  const targets: unknown = Reflect.get(config, 'allowTargets')
  return Array.isArray(targets) ? targets : []
}

function readNumber(name: string, text: string | undefined, most: number): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text, { most })
}

interface FormatFlags extends ConfigFlags {
  /** Leaves out secrets. */
  readonly mask: (text: string) => string
}

/**
 * Returns the command that repeats this run, without the seed and the names of checks, for a POSIX shell. `words` come before the URL.
 * Secrets are read from environment variables.
 */
export function formatCommand(words: string, url: string | undefined, flags: FormatFlags): string {
  const { mask } = flags
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
    // Whoever repeats it has them where they belong.
    ...(flags.clientSecret === undefined ? [] : ['--client-secret "$HOOKBENCH_CLIENT_SECRET"']),
    ...(flags.apiToken === undefined ? [] : ['--api-token "$HOOKBENCH_API_TOKEN"']),
    ...(flags.attach === undefined ? [] : ['--attach']),
    ...(typeof flags.attach === 'string' ? [quoteForShell(flags.attach)] : []),
    ...(flags.callsBack === undefined ? [] : [flags.callsBack ? '--calls-back' : '--no-calls-back']),
    ...(flags.allowTarget ?? []).flatMap((target) => ['--allow-target', quoteForShell(target)]),
  ]
  return [`npx hookbench ${words}`, ...urlWord, ...options].join(' ')
}

/** The shell stops with the name of a variable that is not set. */
function quoteUrl(masked: string, variable: string): string {
  if (!masked.includes(MASK)) return quoteForShell(masked)
  let count = 0
  const escaped = masked.replaceAll(/["$`\\]/g, String.raw`\$&`)
  const named = escaped.replaceAll(MASK, () => `\${${variable}${++count === 1 ? '' : `_${count}`}:?}`)
  return `"${named}"`
}
