import type * as Service from '../../../spec/generated/service-types.ts'
import {
  drawDigits,
  type EngineContext,
  newObjectDefaults,
  type ObjectFields,
  sixDigitsFor,
} from './draws.ts'
import type { AccountKind, AccountOwner, ObjectWrite } from '../state/entries.ts'
import { newObject } from './objects.ts'

/** The code of each account kind. Reading: account-codes */
export const ACCOUNT_CODES: Readonly<Record<AccountKind, number>> = { bank: 9100, card: 9200, wallet: 9700 }

export function newAccount(
  owner: AccountOwner,
  context: EngineContext,
): { readonly account: Service.Account; readonly write: ObjectWrite } {
  const uuid = context.newId()
  const fields = { uuid, ...accountFields(owner), amount: 0 }
  const account = newObject('accounts', fields, newObjectDefaults(uuid, context))
  return { account, write: { kind: 'object', object_type: 'accounts', object: account, owner } }
}

/** Returns the account fields that depend on the owner and the kind. All accounts of a user belong to the same legal entity. */
export function accountFields({ user_id, account_kind }: AccountOwner): ObjectFields {
  return { account_type_id: ACCOUNT_CODES[account_kind], legal_entity_id: sixDigitsFor(user_id) }
}

export function drawDetails(
  kind: AccountKind,
  holder: () => string,
  newId: () => string,
): Pick<AccountOwner, 'bank' | 'card'> {
  switch (kind) {
    case 'bank':
      return { bank: drawBank(holder(), newId) }
    case 'card':
      return {
        card: { ...EXAMPLE_CARD, full_name: holder(), number: `XXXXXXXXXXXXX${drawDigits(3, newId)}` },
      }
    case 'wallet':
      return {}
    default:
      return kind satisfies never
  }
}

function drawBank(account_name: string, newId: () => string): Service.BankAccount['bank'] {
  const digits = drawDigits(6, newId)
  const [routing_number, account_number] = [`XXX${digits.slice(0, 3)}`, `XXXXX${digits.slice(3)}`]
  const bank_name = BANKS[Number(digits[5])] ?? EXAMPLE_BANK.bank_name
  return { ...EXAMPLE_BANK, bank_name, account_name, routing_number, account_number }
}

export function isBankAccount(object: object): object is Service.Account {
  return Reflect.get(object, 'account_type_id') === ACCOUNT_CODES.bank
}

const BANKS = 'Acacia Banksia Boronia Correa Grevillea Hakea Myrtle Telopea Waratah Wattle'
  .split(' ')
  .map((name) => `Bank of ${name}`)

const EXAMPLE_BANK: Service.BankAccount['bank'] = {
  bank_name: 'Bank of Examples',
  country: 'AUS',
  account_name: 'Samuel Seed',
  routing_number: 'XXX000',
  account_number: 'XXXXX418',
  holder_type: 'personal',
  account_type: 'checking',
}

const EXAMPLE_CARD: Service.CardAccount['card'] = {
  type: 'visa',
  full_name: 'Samuel Seed',
  number: 'XXXXXXXXXXXXX111',
  expiry_month: '12',
  expiry_year: '2030',
}

/** Returns the account as Show responses and callbacks of the earlier list contain it. Source: §2.2. Reading: callback-list */
export function toBankAccount(
  account: Service.Account,
  { bank = EXAMPLE_BANK, ...owner }: Partial<AccountOwner> = {},
): Service.BankAccount {
  return {
    ...commonFields('bank_accounts', account, owner),
    verification_status: 'not_verified',
    bank,
  }
}

export function toCardAccount(
  account: Service.Account,
  { card = EXAMPLE_CARD, ...owner }: Partial<AccountOwner>,
): Service.CardAccount {
  return {
    ...commonFields('card_accounts', account, owner),
    verification_status: 'not_verified',
    card,
  }
}

export function toWalletAccount(
  account: Service.Account,
  owner: Partial<AccountOwner>,
): Service.WalletAccount {
  return { ...commonFields('wallet_accounts', account, owner), balance: account.amount }
}

function commonFields(
  collection: string,
  { uuid, created_at, updated_at }: Service.Account,
  { active = true, currency = 'AUD' }: Pick<AccountOwner, 'active' | 'currency'>,
) {
  const self = `/${collection}/${uuid}`
  const links = { self, users: `${self}/users` }
  return { id: uuid, active, created_at, updated_at, currency, links }
}
