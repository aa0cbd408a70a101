import type { Symptom } from '../finding.ts'
import type { Message } from './check-context.ts'
import { formatEffectCount } from './expectations.ts'
import { readObject, toJsonObject } from './messages.ts'
import type { EffectState } from './ports.ts'
import { formatMoney } from '../../spec/money.ts'

/** The expected effect on one object. Undefined fields are not compared. */
export interface ExpectedBooking {
  readonly effects: number
  /** The amount in minor units. */
  readonly amount?: number
  readonly currency?: string
  readonly state?: string
  /** The ids of users and accounts in the notification. The effect must belong to one of these ids. */
  readonly users?: readonly string[]
  readonly accounts?: readonly string[]
  /** The ids of accounts of other payments. The effect must not belong to any of these accounts. */
  readonly foreignAccounts?: readonly string[]
}

export interface BookingDifference {
  readonly expected: string
  readonly actual: string
  readonly symptom: Symptom | 'amount' | 'owner'
}

/** Returns the effect that a platform must have if it acts on this notification. */
export function readBooking(message: Pick<Message, 'type' | 'body'>): ExpectedBooking {
  const { amount, currency, total_amount } = readObject(message)
  const { users, accounts } = readParties(message)
  return {
    effects: 1,
    // The amount is compared only for items without fees, because a platform may book the price with or without fees.
    ...(typeof amount === 'number' && (total_amount ?? amount) === amount && { amount }),
    ...(typeof currency === 'string' && { currency }),
    ...(users.length > 0 && { users }),
    ...(accounts.length > 0 && { accounts }),
  }
}

/** Returns the difference from the expected effect, or undefined. Ignores fields that the platform does not report. */
export function findBookingDifference(
  expected: ExpectedBooking,
  seen: EffectState,
): BookingDifference | undefined {
  if (seen.effects !== expected.effects) {
    const missing = seen.effects < expected.effects
    return {
      expected: formatEffectCount(expected.effects),
      actual: formatEffectCount(seen.effects),
      symptom: missing ? 'missing-effect' : expected.effects === 0 ? 'undue-effect' : 'repeated-effect',
    }
  }
  if (seen.effects > 0) {
    const { amount = seen.amount, currency = seen.currency } = expected
    const isOther =
      (seen.amount !== undefined && seen.amount !== amount) ||
      (seen.currency !== undefined && seen.currency !== currency)
    if (isOther)
      return {
        expected: `an effect of ${formatMoney(amount, currency)}`,
        actual: `an effect of ${formatMoney(seen.amount, seen.currency)}`,
        symptom: 'amount',
      }
    const owner =
      otherParty('user', expected.users, seen.user_id) ??
      otherParty('account', expected.accounts, seen.account_id) ??
      foreignParty(expected, seen.account_id)
    if (owner) return { ...owner, symptom: 'owner' }
  }
  if (expected.state === undefined || seen.state === null || seen.state === expected.state) return undefined
  return {
    expected: `the state ${expected.state}`,
    actual: `the state ${seen.state}`,
    symptom: 'other-state',
  }
}

function otherParty(word: string, known: readonly string[] | undefined, told: string | undefined) {
  if (known === undefined || told === undefined || known.includes(told)) return undefined
  return {
    expected: `an effect for the ${word} ${known.join(' or ')}`,
    actual: `an effect for the ${word} ${told}`,
  }
}

function foreignParty({ accounts, foreignAccounts = [] }: ExpectedBooking, told: string | undefined) {
  if (accounts !== undefined || told === undefined || !foreignAccounts.includes(told)) return undefined
  return {
    expected: 'an effect that belongs to no account',
    actual: `an effect for the account ${told} of another payment`,
  }
}

export interface Parties {
  readonly users: readonly string[]
  readonly accounts: readonly string[]
}

/** Source: §2.4, §2.5, §2.7 */
export function readParties(message: Pick<Message, 'type' | 'body'>): Parties {
  const object = readObject(message)
  const related = toJsonObject(object['related'])
  const to = toJsonObject(related['account_to'])
  const counterparts = Array.isArray(related['transactions']) ? related['transactions'].map(toJsonObject) : []
  const { user_id, user_external_id, account_id } = object
  const { buyers, sellers } = related
  return {
    users: toTexts([
      user_id,
      user_external_id,
      buyers,
      sellers,
      to['user_id'],
      ...counterparts.map((each) => each['user_id']),
    ]),
    accounts: toTexts([account_id, to['id'], ...counterparts.map((each) => each['account_id'])]),
  }
}

export function toTexts(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))]
}
