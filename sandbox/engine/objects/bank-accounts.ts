import type { Account, BankAccount } from '../../../spec/generated/service-types.ts'
import type { AccountOwner } from '../state/entries.ts'

/** What a bank account of whom nobody has said more is at its bank. */
const PLAUSIBLE: BankAccount['bank'] = {
  bank_name: 'Bank of Examples',
  country: 'AUS',
  account_name: 'Samuel Seed',
  routing_number: 'XXX000',
  account_number: 'XXXXX418',
  holder_type: 'personal',
  account_type: 'checking',
}

/** The Show response of a bank account, which the earlier callbacks carry. Source: §2.2. Reading: callback-list */
export function bankAccountOf(
  { uuid, created_at, updated_at }: Account,
  {
    bank = PLAUSIBLE,
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

/** Reading: account-codes */
const BANK = 9100

export function isBankAccount(object: object): object is Account {
  return Reflect.get(object, 'account_type_id') === BANK
}
