import type { Account, BankAccount } from '../../../spec/generated/service-types.ts'
import type { EngineContext } from '../state/context.ts'
import type { AccountKind, AccountOwner } from '../state/entries.ts'
import type { ObjectWrite } from '../state/write.ts'
import { drawDigits, sixDigitsFor } from './draws.ts'
import { newObjectDefaults, type ObjectFields } from './new-object-defaults.ts'
import { newObject } from './objects.ts'

/** Codes of the kinds of accounts. Reading: account-codes */
export const ACCOUNT_CODES: Readonly<Record<AccountKind, number>> = { bank: 9100, card: 9200, wallet: 9700 }

/** A new, empty account of a user, as a write. */
export function newAccount(
  owner: AccountOwner,
  context: EngineContext,
): { readonly account: Account; readonly write: ObjectWrite } {
  const uuid = context.newId()
  const fields = { uuid, ...accountFields(owner), amount: 0 }
  const account = newObject('accounts', fields, newObjectDefaults(uuid, context))
  return { account, write: { kind: 'object', object_type: 'accounts', object: account, owner } }
}

/** What follows for an account from whose it is, and of which kind. All accounts of a user are of one legal entity. */
export function accountFields({ user_id, account_kind }: AccountOwner): ObjectFields {
  return { account_type_id: ACCOUNT_CODES[account_kind], legal_entity_id: sixDigitsFor(user_id) }
}

/** A bank account at its bank, for somebody. */
export function drawBank(account_name: string, newId: () => string): BankAccount['bank'] {
  const digits = drawDigits(6, newId)
  const [routing_number, account_number] = [`XXX${digits.slice(0, 3)}`, `XXXXX${digits.slice(3)}`]
  return { ...EXAMPLE_BANK, account_name, routing_number, account_number }
}

export function isBankAccount(object: object): object is Account {
  return Reflect.get(object, 'account_type_id') === ACCOUNT_CODES.bank
}

/** A bank account at its bank, where nothing is known of it. */
const EXAMPLE_BANK: BankAccount['bank'] = {
  bank_name: 'Bank of Examples',
  country: 'AUS',
  account_name: 'Samuel Seed',
  routing_number: 'XXX000',
  account_number: 'XXXXX418',
  holder_type: 'personal',
  account_type: 'checking',
}

/** The Show response of a bank account, which the earlier callbacks carry. Source: §2.2. Reading: callback-list */
export function toBankAccount(
  { uuid, created_at, updated_at }: Account,
  {
    bank = EXAMPLE_BANK,
    active = true,
    currency = 'AUD',
  }: Pick<AccountOwner, 'bank' | 'active' | 'currency'> = {},
): BankAccount {
  return {
    id: uuid,
    active,
    created_at,
    updated_at,
    currency,
    verification_status: 'not_verified',
    bank,
    links: { self: `/bank_accounts/${uuid}`, users: `/bank_accounts/${uuid}/users` },
  }
}
