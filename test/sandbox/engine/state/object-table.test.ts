import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AccountKind, AccountOwner } from '../../../../sandbox/engine/state/entries.ts'
import { createAccountOwners } from '../../../../sandbox/engine/state/account-owners.ts'
import { createIndexData } from '../../../../sandbox/engine/state/index-data.ts'
import { createObjectsOfType } from '../../../../sandbox/engine/state/object-table.ts'

const IDS = ['a', 'b', '7', '0a000000-0000-4000-8000-000000000001', '0a000000-0000-4000-8000-000000000002']
/** Whole numbers, and what only looks like one. */
const ALIASES = ['7', '007', '4294967295', '4294967296', '1e3', '', 'b', '-1', '1.5']

const heads = fc.array(
  fc.record({
    id: fc.constantFrom(...IDS),
    aliases: fc.uniqueArray(fc.constantFrom(...ALIASES), { maxLength: 2 }),
  }),
  { maxLength: 30 },
)

test('objects of a type are found by every id, in each of their versions', () => {
  fc.assert(
    fc.property(heads, fc.nat({ max: 5 }), (added, back) => {
      const objects = createObjectsOfType(createIndexData(), 'accounts')
      const versionsById = new Map<string, { revision: number; position: number }[]>()
      const idByAlias = new Map<string, string>()
      added.forEach(({ id, aliases }, index) => {
        const versions = versionsById.get(id) ?? []
        const version = { revision: versions.length + 1, position: index + 1 }
        versionsById.set(id, [version, ...versions])
        for (const alias of aliases) idByAlias.set(alias, id)
        objects.add({ id, aliases, revision: version.revision }, version.position)
      })

      for (const asked of [...IDS, ...ALIASES]) {
        const id = idByAlias.get(asked) ?? asked
        const versions = versionsById.get(id)
        expect([objects.keptId(asked), objects.version(asked, back)]).toEqual([
          versions && id,
          versions?.[Math.min(back, versions.length - 1)],
        ])
      }
      expect([...objects.ids()]).toEqual([...versionsById.keys()])
    }),
  )
})

const KINDS: readonly AccountKind[] = ['bank', 'card', 'wallet']

const owners = fc.array(
  fc.record({
    account: fc.constantFrom('a1', 'a2', 'a3'),
    user_id: fc.constantFrom('known', 'stray', 'later'),
    account_kind: fc.constantFrom(...KINDS),
    active: fc.boolean(),
  }),
  { maxLength: 12 },
)

test('accounts have their last owner, and users their newest account of each kind', () => {
  fc.assert(
    fc.property(owners, (added) => {
      const data = createIndexData()
      const [accounts, users] = [createObjectsOfType(data, 'accounts'), createObjectsOfType(data, 'users')]
      const owned = createAccountOwners(data, { accounts, users })
      users.add({ id: 'known', revision: 1 }, 1)
      const ownerByAccount = new Map<string, AccountOwner>()
      const newest = new Map<string, string>()
      added.forEach(({ account, ...owner }, index) => {
        if (index === 6) users.add({ id: 'later', revision: 1 }, 2)
        if (!ownerByAccount.has(account)) newest.set(`${owner.user_id}/${owner.account_kind}`, account)
        ownerByAccount.set(account, owner)
        owned.add(accounts.add({ id: account, revision: 1 }, index + 3), owner)
      })

      for (const account of ['a1', 'a2', 'a3', 'none'])
        expect(owned.ownerOf(account)).toEqual(ownerByAccount.get(account))
      for (const user of ['known', 'stray', 'later', 'none'])
        expect(KINDS.map((kind) => owned.newest(user, kind))).toEqual(
          KINDS.map((kind) => newest.get(`${user}/${kind}`)),
        )
    }),
  )
})
