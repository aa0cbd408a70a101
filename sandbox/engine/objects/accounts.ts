import type { Account } from '../../../spec/generated/service-types.ts'
import type { EngineContext } from '../state/context.ts'
import type { AccountKind, AccountOwner } from '../state/entries.ts'
import type { ObjectWrite } from '../state/write.ts'
import { birthOf } from './birth.ts'
import { newObject } from './makers.ts'

/** Codes of the kinds of accounts. Reading: account-codes */
export const ACCOUNT_CODES: Readonly<Record<AccountKind, number>> = { bank: 9100, card: 9200, wallet: 9700 }

/** A new, empty account of a user, as a write. */
export function newAccount(
  owner: AccountOwner,
  context: EngineContext,
): { readonly account: Account; readonly write: ObjectWrite } {
  const uuid = context.newId()
  const fields = { uuid, account_type_id: ACCOUNT_CODES[owner.account_kind], amount: 0 }
  const account = newObject('accounts', fields, birthOf(uuid, context))
  return { account, write: { kind: 'object', object_type: 'accounts', object: account, owner } }
}
