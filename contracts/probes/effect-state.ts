import { EffectError, type EffectState } from '../toolkit/effects.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a platform says that it did, in our shape. Throws EffectError, with the field that is wrong and its value. */
export function parseEffectState(value: unknown, where: string): EffectState {
  const fields: Fields = Object(value)
  const { effects, state } = fields
  const refuse = (problem: string) =>
    new EffectError(
      `Cannot read effects from ${where}: ${problem}; answer {"effects": n, "state": "…" or null}, not ${JSON.stringify(value)}`,
    )
  if (!isCount(effects)) throw refuse('"effects" must be a count')
  if (state !== null && typeof state !== 'string') throw refuse('"state" must be a text or null')
  const details = readDetails(fields)
  const [wrong] = details.wrong
  if (wrong !== undefined) throw refuse(`"${wrong}" must be ${DETAILS[wrong]}, if given`)
  return { effects, state, ...details.read }
}

type Detail = Exclude<keyof EffectState, 'effects' | 'state'>

/** What may be told beside the count and the state, and what it has to be. */
const DETAILS: { readonly [Each in Detail]: string } = {
  // A wrong amount is for a check to judge.
  amount: 'a number of minor units',
  currency: 'a text',
  user_id: 'a text, or an integer',
  account_id: 'a text, or an integer',
}

interface Details {
  readonly read: Pick<EffectState, Detail>
  readonly wrong: readonly Detail[]
}

/** What is absent or null is not told. */
export function readDetails({ amount, currency, user_id, account_id }: Fields): Details {
  const [user, account] = [readId(user_id), readId(account_id)]
  const isWrong: { readonly [Each in Detail]: boolean } = {
    amount: isGiven(amount) && typeof amount !== 'number',
    currency: isGiven(currency) && typeof currency !== 'string',
    user_id: isGiven(user_id) && user === undefined,
    account_id: isGiven(account_id) && account === undefined,
  }
  const read = {
    ...(typeof amount === 'number' && { amount }),
    ...(typeof currency === 'string' && { currency }),
    ...(user !== undefined && { user_id: user }),
    ...(account !== undefined && { account_id: account }),
  }
  const names: readonly Detail[] = ['amount', 'currency', 'user_id', 'account_id']
  return { read, wrong: names.filter((name) => isWrong[name]) }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Some ids of the service are integers. Source: §2.3 */
function readId(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) ? String(value) : undefined
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
