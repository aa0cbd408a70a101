import { createInterned } from '../core/interned.ts'
import type { AccountKind, AccountOwner } from './entries.ts'
import type { IndexData } from './index-data.ts'
import type { ObjectsOfType } from './object-table.ts'

/** Whose accounts are, and which accounts users have. */
export interface AccountOwners {
  add(account: number, owner: AccountOwner): void
  ownerOf(accountId: string): AccountOwner | undefined
  /** The id of the user's newest account of a kind. */
  newest(userId: string, kind: AccountKind): string | undefined
}

type Profile = Omit<AccountOwner, 'user_id'>

interface OwnersPorts {
  readonly accounts: ObjectsOfType
  readonly users: ObjectsOfType
}

/** Numbers of objects plus one stand in the columns, 0 for none; users that are no objects are kept by their ids. */
export function createAccountOwners(data: IndexData, { accounts, users }: OwnersPorts): AccountOwners {
  const profiles = createInterned(data.list<Profile>('owners/profiles'), (each) => JSON.stringify(each))
  const profile = data.column('owners/profile', 'u32')
  const user = data.column('owners/user', 'u32')
  const strayUsers = data.map<number, string>('owners/stray/users')
  const strayAccounts = data.map<string, number>('owners/stray/accounts')
  const newest = {
    bank: data.column('owners/newest/bank', 'u32'),
    card: data.column('owners/newest/card', 'u32'),
    wallet: data.column('owners/newest/wallet', 'u32'),
  }

  function setUser(account: number, userId: string): void {
    const number = users.numberOf(userId)
    user.set(account, number === undefined ? 0 : number + 1)
    if (number === undefined) strayUsers.set(account, userId)
    else strayUsers.delete(account)
  }

  function setNewest(userId: string, kind: AccountKind, account: number): void {
    const number = users.numberOf(userId)
    if (number === undefined) strayAccounts.set(`${userId}/${kind}`, account)
    else newest[kind].set(number, account + 1)
  }

  return {
    add(account, { user_id, ...rest }) {
      // The newest is the user's: one that only changes does not become it.
      if (profile.get(account) === 0) setNewest(user_id, rest.account_kind, account)
      setUser(account, user_id)
      profile.set(account, profiles.numberOf(rest) + 1)
    },
    ownerOf(accountId) {
      const account = accounts.numberOf(accountId)
      const number = account === undefined ? 0 : profile.get(account)
      if (account === undefined || number === 0) return undefined
      const user_id = strayUsers.get(account) ?? users.idAt(user.get(account) - 1)
      return { user_id, ...profiles.at(number - 1) }
    },
    newest(userId, kind) {
      const number = users.numberOf(userId)
      const held = number === undefined ? 0 : newest[kind].get(number)
      const account = held === 0 ? strayAccounts.get(`${userId}/${kind}`) : held - 1
      return account === undefined ? undefined : accounts.idAt(account)
    },
  }
}
