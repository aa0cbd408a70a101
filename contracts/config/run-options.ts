import type { ConfigContext } from './config-context.ts'
import { receiverOptions, UNDEFINED_URL, type Refuse } from './receiver-options.ts'
import { serviceOptions } from './service-options.ts'
import { idsAndTopics, suggestCheck } from '../run/select.ts'
import type { EffectOptions, ReconcileOptions, RunOptions } from '../toolkit/options.ts'
import type { EffectProbe } from '../toolkit/ports.ts'
import { parseSourceAddresses, UsageError, validateConfig } from '../../sandbox/internal.ts'
import { errorMessage } from '../../spec/errors.ts'
import { CONFIG_DEFAULTS } from '../../spec/generated/config-schemas.ts'
import type { ConfigFile, EffectsConfig, ReconcileConfig } from '../../spec/generated/config-types.ts'

export interface RunPlan extends RunOptions {
  /** An empty list means all checks. */
  readonly checks: readonly string[]
  readonly failOn: 'must' | 'should'
}

/** Throws a UsageError that lists every invalid key. */
export function createRunOptions(given: unknown, context: ConfigContext): RunPlan {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UsageError(`Cannot use ${context.name}: the value must be an object of options`)
  }
  const { config, problems: bySchema } = validateConfig(given)
  const problems = [...bySchema]
  const refuse = (key: string, problem: string): undefined => {
    // Does not report a key as missing if its value is invalid.
    const [first = ''] = key.split('.')
    if (Object.hasOwn(config, first) || !Object.hasOwn(given, first)) problems.push(`"${key}" ${problem}`)
  }
  const options = resolveOptions(config, context, { given, refuse })
  if (problems.length > 0) throw new UsageError(`Cannot use ${context.name}: ${problems.join('; ')}`)
  return options
}

function resolveOptions(
  config: ConfigFile,
  context: ConfigContext,
  { given, refuse }: { readonly given: object; readonly refuse: Refuse },
): RunPlan {
  const { ids, freshSeed, freshSalt } = context
  const { receiver = {}, budgetMs = CONFIG_DEFAULTS.budgetMs, knownFailures = [], effects, process } = config
  const warnMs = config.warnMs ?? Math.min(CONFIG_DEFAULTS.warnMs, budgetMs)
  if (warnMs > budgetMs) refuse('warnMs', `is more than "budgetMs", which is ${budgetMs}`)
  const undefinedUrls = URL_KEYS.filter(([group, key]) => isUndefined(Reflect.get(given, group), key))
  for (const [group, key] of undefinedUrls) refuse(`${group}.${key}`, UNDEFINED_URL)
  if (receiver.url === undefined && !Object.hasOwn(receiver, 'url'))
    refuse('receiver.url', `is missing. Give the URL of your receiver, such as "${EXAMPLE}"`)
  const data = config.data ?? CONFIG_DEFAULTS.data
  const { checks = [], failOn = CONFIG_DEFAULTS.failOn } = config
  checkIds('knownFailures', { given: knownFailures, known: ids }, refuse)
  checkIds('checks', { given: checks, known: idsAndTopics(ids.map((id) => ({ id }))) }, refuse)
  checkSecret(config, refuse)
  return {
    receiver: {
      ...receiverOptions(receiver, { ...context, data }, refuse),
      source: readSource(config, refuse),
    },
    service: serviceOptions(config, context, refuse),
    effects: effects ? effectOptions(effects, refuse) : functionOption(given),
    process,
    reconcile: config.reconcile && reconcileOptions(config.reconcile),
    budgetMs,
    warnMs,
    settleMs: config.settleMs ?? CONFIG_DEFAULTS.settleMs,
    windowMs: config.windowMs ?? CONFIG_DEFAULTS.windowMs,
    exploreMs: config.exploreMs ?? CONFIG_DEFAULTS.exploreMs,
    // If the configuration has a secret, the run signs webhooks even if the running sandbox does not.
    readings: { ...config.readings, ...(config.signatureSecret !== undefined && { signature: 'hmac' }) },
    vocabulary: config.vocabulary ?? {},
    secret: config.signatureSecret,
    consequences: config.consequences ?? {},
    knownFailures,
    checks,
    failOn,
    seed: config.seed ?? freshSeed(),
    salt: freshSalt(),
  }
}

const URL_KEYS = [
  ['receiver', 'url'],
  ['effects', 'http'],
  ['reconcile', 'http'],
  ['service', 'attach'],
] as const

function isUndefined(group: unknown, key: string): boolean {
  return typeof group === 'object' && group !== null && Reflect.get(group, key) === undefined && key in group
}

const EXAMPLE = 'https://localhost:9443/notifications/{object_type}/3f9c1d2ab47e8051c6d20a94e7b1358f'

function checkIds(
  key: 'knownFailures' | 'checks',
  { given, known }: { readonly given: readonly string[]; readonly known: readonly string[] },
  refuse: Refuse,
): void {
  for (const id of given.filter((each) => !known.includes(each))) {
    const remedy = suggestCheck(id, known) ?? 'See "npx hookbench check --list"'
    refuse(
      key,
      `has "${id}", which is not the id ${key === 'checks' ? 'or topic ' : ''}of a check. ${remedy}`,
    )
  }
}

/** Reports a configured secret as a problem if the readings turn signatures off. Reading: signature */
function checkSecret({ readings, signatureSecret }: ConfigFile, refuse: Refuse): void {
  if (signatureSecret !== undefined && readings?.signature === 'off')
    refuse('signatureSecret', 'has no effect while "readings.signature" is "off". Omit one of these keys')
}

function readSource({ sourceAddresses }: ConfigFile, refuse: Refuse): RunOptions['receiver']['source'] {
  if (sourceAddresses === undefined) return undefined
  try {
    return parseSourceAddresses(sourceAddresses)
  } catch (error) {
    return refuse('sourceAddresses', `is rejected: ${errorMessage(error)}`)
  }
}

function effectOptions({ http, command, sink }: EffectsConfig, refuse: Refuse): EffectOptions | undefined {
  if (sink !== undefined) return { kind: 'sink', port: sink === true ? 0 : sink }
  if (command !== undefined) return { kind: 'command', command }
  return http === undefined ? undefined : pageOption(http, refuse)
}

function pageOption(url: string, refuse: Refuse): EffectOptions {
  const missing = ['{object_type}', '{id}'].filter((part) => !url.includes(part))
  const example = url.replaceAll(/\{(object_type|id)\}/g, 'x')
  if (missing.length > 0) {
    const like = 'such as "http://localhost:3000/effects/{object_type}/{id}"'
    refuse('effects.http', `has no ${missing.join(' and no ')}. Write a URL with both, ${like}`)
  } else if (!URL.canParse(example) || !/^https?:/.test(example)) {
    refuse('effects.http', `takes an absolute URL, not "${url}"`)
  }
  return { kind: 'http', url }
}

function reconcileOptions({ command, http }: ReconcileConfig): ReconcileOptions | undefined {
  if (command !== undefined) return { kind: 'command', command }
  return http === undefined ? undefined : { kind: 'http', url: http }
}

function functionOption({ effects }: { readonly effects?: unknown }): EffectOptions | undefined {
  const read: unknown = Reflect.get(Object(effects), 'function')
  return isProbe(read)
    ? { kind: 'function', read: async (object_type, id) => read(object_type, id) }
    : undefined
}

function isProbe(value: unknown): value is EffectProbe {
  return typeof value === 'function'
}
