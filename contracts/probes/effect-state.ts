import { ProbeError, type EffectState } from '../toolkit/ports.ts'
import { toPrintable } from '../../sandbox/internal.ts'

type IsRight = (value: unknown) => boolean

const orNothing =
  (isRight: IsRight): IsRight =>
  (value) =>
    value === null || value === undefined || isRight(value)

/** The fields of an effect state. Optional fields can be null, because many languages write null for no value. */
const FIELDS: readonly (readonly [name: keyof EffectState, isRight: IsRight, takes: string])[] = [
  [
    'effects',
    isCount,
    'the number of times that your platform acted on the object, as a whole number (0 or more)',
  ],
  [
    'state',
    (value) => value === null || isText(value),
    'the state of the object on your platform, in the words of the service, or null',
  ],
  // The parser accepts any number, because the checks report a wrong amount.
  ['amount', orNothing((value) => typeof value === 'number'), 'an amount in minor units, such as 120000'],
  ['currency', orNothing(isText), 'a currency code, such as "AUD"'],
  ['user_id', orNothing(isId), 'the id of a user at the service'],
  ['account_id', orNothing(isId), 'the id of an account at the service'],
]

export const EXAMPLE = '{"effects": 1, "state": "successful", "amount": 120000, "currency": "AUD"}'

/** Throws ProbeError for invalid fields. `where` names the source in the error message. */
export function parseEffectState(answer: unknown, where: string): EffectState {
  const problems = findEffectProblems(answer)
  if (problems.length === 0) return toEffectState(Object(answer))
  throw new ProbeError(
    `Cannot read effects from ${where}: ${problems.join('; ')}. Answer with JSON such as ${EXAMPLE}`,
  )
}

export function findEffectProblems(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    return [`${formatValue(answer)} is not a JSON object`]
  }
  return FIELDS.filter(([name, isRight]) => !isRight(Reflect.get(answer, name))).map(([name, , takes]) =>
    Object.hasOwn(answer, name)
      ? `"${name}" takes ${takes}, not ${formatValue(Reflect.get(answer, name))}`
      : `"${name}" is missing: ${takes}`,
  )
}

/** Omits the fields that are null. */
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

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const MAX_SHOWN = 80

export function formatValue(value: unknown): string {
  const text = toPrintable(JSON.stringify(value) ?? String(value))
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Returns true for a text or an integer, because some ids of the service are integers. Source: §2.3 */
function isId(value: unknown): value is string | number {
  return isText(value) || Number.isSafeInteger(value)
}
