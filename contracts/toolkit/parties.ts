import type { Message } from './check-context.ts'
import { readObject, toJsonObject } from './messages.ts'

/** The ids by which a body names users, and accounts. */
export interface Parties {
  readonly users: readonly string[]
  readonly accounts: readonly string[]
}

/** The users and the accounts that a notification names. Source: §2.4, §2.5, §2.7 */
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

/** Each text once. */
export function toTexts(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))]
}
