import { ProbeError, type EffectState } from '../toolkit/ports.ts'
import { toPrintable } from '../../sandbox/internal.ts'

/** A field of what a platform answers about an object. */
interface Field {
  readonly isRight: (value: unknown) => boolean
  readonly takes: string
}

/** The fields, and what each takes. What may be left out is null as well: many a language writes so what it does not have. */
const FIELDS: readonly (readonly [keyof EffectState, Field])[] = [
  [
    'effects',
    { isRight: isCount, takes: 'how often you carried out the consequence, a whole number from 0' },
  ],
  ['state', { isRight: isTextOrNull, takes: "the service's word for the state that you believe, or null" }],
  // A wrong amount is for a check to judge.
  [
    'amount',
    { isRight: (value) => isNothing(value) || typeof value === 'number', takes: 'a number of minor units' },
  ],
  ['currency', { isRight: (value) => isNothing(value) || isText(value), takes: 'a text, such as "AUD"' }],
  ['user_id', { isRight: (value) => isNothing(value) || isId(value), takes: "the service's id of a user" }],
  [
    'account_id',
    { isRight: (value) => isNothing(value) || isId(value), takes: "the service's id of an account" },
  ],
]

/** What a platform may answer. */
export const EXAMPLE = '{"effects": 1, "state": "successful", "amount": 120000, "currency": "AUD"}'

/** What a platform answered. Throws ProbeError that names each wrong field and its value; `where` is what gave the answer. */
export function parseEffectState(answer: unknown, where: string): EffectState {
  const problems = findEffectProblems(answer)
  if (problems.length === 0) return toEffectState(Object(answer))
  throw new ProbeError(`Cannot read effects from ${where}: ${problems.join('; ')}. Answer such as ${EXAMPLE}`)
}

/** What is wrong with an answer: each field with its value. */
export function findEffectProblems(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    return [`${formatValue(answer)} is not a JSON object`]
  }
  return FIELDS.filter(([name, { isRight }]) => !isRight(Reflect.get(answer, name))).map(
    ([name, { takes }]) =>
      Object.hasOwn(answer, name)
        ? `"${name}" takes ${takes}, not ${formatValue(Reflect.get(answer, name))}`
        : `"${name}" is missing: ${takes}`,
  )
}

/** An answer with which nothing is wrong, without what is null. */
export function toEffectState(answer: Readonly<Record<string, unknown>>): EffectState {
  const { effects, state, amount, currency, user_id, account_id } = answer
  return {
    effects: Number(effects),
    state: isText(state) ? state : null,
    ...(typeof amount === 'number' && { amount }),
    ...(isText(currency) && { currency }),
    ...(isId(user_id) && { user_id: String(user_id) }),
    ...(isId(account_id) && { account_id: String(account_id) }),
  }
}

/** Undefined if it is none. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const MOST_SHOWN = 80

/** A value as JSON, cut short. */
export function formatValue(value: unknown): string {
  const text = toPrintable(JSON.stringify(value) ?? String(value))
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Some ids of the service are integers. Source: §2.3 */
function isId(value: unknown): value is string | number {
  return isText(value) || Number.isSafeInteger(value)
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value)
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
