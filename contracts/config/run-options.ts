import type { Generation } from '../../spec/delivery.ts'
import { isNotifiedType, notifiedTypes } from '../../spec/notifications.ts'
import { isPaymentKind, paymentKinds, type PaymentKind } from '../../spec/payments.ts'
import { readingValues } from '../../spec/readings.ts'
import { createTranslator } from '../../spec/vocabulary.ts'
import type { Consequence, RunOptions } from '../toolkit/options.ts'
import { fieldsOf, isObject, type Fields } from './fields.ts'
import { receiverOptions, type ReceiverContext } from './receiver-options.ts'
import { effectOptions, processOptions, serviceOptions, type ServiceContext } from './service-options.ts'
import { CHECK_KEYS, nearest, UP_KEYS, upProblemOf, UsageError } from '../../sandbox/internal.ts'

/** What a run is told unless a configuration says otherwise; real milliseconds. */
const DEFAULTS = {
  budgetMs: 10_000,
  warnMs: 5_000,
  settleMs: 5_000,
  windowMs: 1_000,
} as const

export interface ConfigContext extends Pick<ReceiverContext, 'readFile' | 'bareUrl'>, ServiceContext {
  /** What it is called when something is wrong with it: `config "hookbench.config.ts"`. */
  readonly name: string
  /** A seed that no earlier run had: the receiver may remember the ids that one draws. */
  readonly freshSeed: () => number
  /** The ids of all checks. */
  readonly ids: readonly string[]
}

/** A configuration with every default in its place. Throws UsageError that names every key that is wrong, and the remedy. */
export function runOptionsOf(config: unknown, context: ConfigContext): RunOptions {
  const problems: string[] = []
  if (!isObject(config)) throw new UsageError(`Cannot use ${context.name}: it must be an object of options`)
  const known = [...CHECK_KEYS, ...UP_KEYS]
  // What is wrong by the rules of `up` is said once, and then left aside.
  const right = Object.entries(config).filter(([key, given]) => {
    const problem = upProblemOf(key, given)
    if (problem !== undefined) problems.push(problem)
    return problem === undefined
  })
  const fields = fieldsOf(Object.fromEntries(right), { path: '', known, problems })
  const options = optionsFrom(fields, context)
  if (problems.length > 0) throw new UsageError(`Cannot use ${context.name}: ${problems.join('; ')}`)
  return options
}

const MILLISECONDS = { least: 1, most: 600_000 }

function optionsFrom(fields: Fields, context: ConfigContext): RunOptions {
  const profile = fields.within('profile', PROFILE_KEYS)
  const budgetMs = fields.whole('budgetMs', MILLISECONDS) ?? DEFAULTS.budgetMs
  const warnMs = fields.whole('warnMs', MILLISECONDS) ?? Math.min(DEFAULTS.warnMs, budgetMs)
  if (warnMs > budgetMs) fields.refuse('warnMs', `is more than "budgetMs", which is ${budgetMs}`)
  const readings = readingsOf(fields, profile)
  return {
    receiver: receiverOptions(fields, {
      readFile: context.readFile,
      bareUrl: context.bareUrl,
      generations: generationsOf(profile),
      sourceAddresses: textIn(fields, 'source_addresses'),
    }),
    service: serviceOptions(fields, context),
    effects: effectOptions(fields),
    process: processOptions(fields),
    budgetMs,
    warnMs,
    settleMs: fields.whole('settleMs', MILLISECONDS) ?? DEFAULTS.settleMs,
    windowMs: fields.whole('window', MILLISECONDS) ?? DEFAULTS.windowMs,
    readings,
    vocabulary: vocabularyOf(fields, profile),
    secret: secretOf(fields, profile, readings['signature'] === 'hmac'),
    consequences: consequencesOf(fields),
    knownFailures: knownFailuresOf(fields, context.ids),
    seed: fields.whole('seed', { least: 0, most: 2 ** 32 - 1 }) ?? context.freshSeed(),
  }
}

const PROFILE_KEYS = ['environment', 'generations', 'signature', 'secret', 'readings', 'vocabulary']
const GENERATIONS: readonly Generation[] = ['webhooks', 'callbacks']

/** What `up` is told is checked by its own rules. */
function textIn(fields: Fields, key: string): string | undefined {
  const raw = fields.raw(key)
  return typeof raw === 'string' ? raw : undefined
}

function generationsOf(profile: Fields | undefined): readonly Generation[] {
  const given = profile?.list('generations')
  if (given === undefined) return ['webhooks']
  const found = GENERATIONS.filter((generation) => given.includes(generation))
  if (found.length === 0 || found.length < given.length) {
    profile?.refuse('generations', 'takes a list of "webhooks" and "callbacks"')
  }
  return found
}

/** The readings of `up`, those of the profile, and the two that have keys of their own. */
function readingsOf(fields: Fields, profile: Fields | undefined): Readonly<Record<string, string>> {
  const readings: Record<string, string> = { ...fields.texts('readings') }
  const place = profile ?? fields
  Object.assign(readings, profile?.texts('readings'))
  for (const key of ['environment', 'signature']) {
    const option = profile?.text(key)
    if (option !== undefined) readings[key] = option
  }
  try {
    readingValues(readings)
    return readings
  } catch (error) {
    place.refuse('readings', `is refused: ${error instanceof Error ? error.message : String(error)}`)
    return {}
  }
}

/** Reading: signature */
function secretOf(fields: Fields, profile: Fields | undefined, isSigned: boolean): string | undefined {
  const secret = profile?.text('secret')
  if (secret === undefined) {
    return isSigned
      ? fields.refuse('profile.secret', 'is missing: what your receiver verifies signatures with')
      : undefined
  }
  if (!isSigned) return profile?.refuse('secret', 'goes with "profile.signature": "hmac"')
  if (/^[\x21-\x7e]{32,}$/.test(secret)) return secret
  return profile?.refuse('secret', 'takes 32 characters or more, ASCII without spaces')
}

function vocabularyOf(fields: Fields, profile: Fields | undefined): Readonly<Record<string, string>> {
  const vocabulary = profile?.texts('vocabulary') ?? fields.texts('vocabulary') ?? {}
  try {
    createTranslator(vocabulary)
    return vocabulary
  } catch (error) {
    const place = profile?.has('vocabulary') ? profile : fields
    place.refuse('vocabulary', `is refused: ${error instanceof Error ? error.message : String(error)}`)
    return {}
  }
}

function consequencesOf(fields: Fields): RunOptions['consequences'] {
  const inner = fields.within('consequences', paymentKinds)
  const consequences: Partial<Record<PaymentKind, Consequence | null>> = {}
  for (const kind of paymentKinds) {
    if (inner?.raw(kind) === null) {
      consequences[kind] = null
      continue
    }
    const one = inner?.within(kind, ['object_type', 'type', 'type_method', 'state'])
    const consequence = one && consequenceOf(one)
    if (consequence && isPaymentKind(kind)) consequences[kind] = consequence
  }
  return consequences
}

function consequenceOf(fields: Fields): Consequence | undefined {
  const [object_type, state] = [fields.text('object_type'), fields.text('state')]
  const [type, type_method] = [fields.text('type'), fields.text('type_method')]
  if (state === undefined) return fields.refuse('state', 'is missing: the state that is acted on')
  if (object_type === undefined || !isNotifiedType(object_type)) {
    return fields.refuse('object_type', `takes one of ${notifiedTypes.join(', ')}`)
  }
  return {
    object_type,
    ...(type !== undefined && { type }),
    ...(type_method !== undefined && { type_method }),
    state,
  }
}

function knownFailuresOf(fields: Fields, ids: readonly string[]): readonly string[] {
  const given = fields.list('knownFailures') ?? []
  for (const id of given) {
    if (ids.includes(id)) continue
    const meant = nearest(id, ids)
    const close = meant === undefined ? '' : `; did you mean "${meant}"?`
    fields.refuse('knownFailures', `has "${id}", which is the id of no check${close}`)
  }
  return given
}
