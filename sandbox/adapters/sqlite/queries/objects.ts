import type { NotifiedType } from '../../../../spec/notifications.ts'
import type { AccountKind, AccountOwner, ObjectHead } from '../../../engine/state/entries.ts'
import { createRecent } from '../recent.ts'
import type { Sql } from '../sql.ts'

/** Where the body of an object is in the history. */
export interface ObjectVersion {
  readonly id: string
  readonly revision: number
  readonly position: number
}

/** The objects of one world, and the owners of its accounts. */
export interface Objects {
  add(head: ObjectHead, position: number): void
  /** The id that the store keeps the object by, for any of its ids. */
  keptId(type: NotifiedType, id: string): string | undefined
  /** The present version, by any id. */
  version(type: NotifiedType, id: string): ObjectVersion | undefined
  /** The version so many revisions ago, or the first if there were fewer. */
  earlierVersion(type: NotifiedType, id: string, back: number): ObjectVersion | undefined
  /** Oldest first. */
  ids(type: NotifiedType): readonly string[]
  count(type: NotifiedType): number
  /** From the `start`th, counted from 0, to before the `end`th. */
  idsBetween(type: NotifiedType, start: number, end: number): readonly string[]
  idsBeginning(type: NotifiedType, start: string): readonly string[]
  accountOwner(account: string): AccountOwner | undefined
  /** The user's newest account of a kind. */
  newestAccount(user: string, kind: AccountKind): string | undefined
  /** Forgets what was read, after a rollback. */
  forget(): void
}

type IdRow = Pick<ObjectVersion, 'id'>

/** While an object changes it is looked up again and again. */
const MOST_RECENT = 1_024

export function createObjects(sql: Sql, world: number): Objects {
  const selectIds = sql<IdRow>(
    'SELECT id FROM objects WHERE world = ? AND type = ? AND number >= ? AND number < ? ORDER BY number',
  )
  const selectBeginning = sql<IdRow>(
    'SELECT id FROM objects WHERE world = ? AND type = ? AND id >= ? AND id < ? ORDER BY number',
  )
  const counts = createCounts(sql, world)
  const add = createAdd(sql, world, counts)
  const versions = createVersions(sql, world)
  const toIds = (rows: readonly IdRow[]) => rows.map(({ id }) => id)
  return {
    add(head, position) {
      add(head, position)
      versions.change(head, position)
    },
    keptId: (type, id) => versions.find(type, id)?.id,
    version: versions.find,
    earlierVersion: versions.earlier,
    ids: (type) => toIds(selectIds.all(world, type, 0, Number.MAX_SAFE_INTEGER)),
    count: counts.get,
    idsBetween: (type, start, end) => toIds(selectIds.all(world, type, start, end)),
    idsBeginning: (type, start) => toIds(selectBeginning.all(world, type, start, `${start}\u{10FFFF}`)),
    ...createOwners(sql, world),
    forget() {
      versions.forget()
      counts.forget()
    },
  }
}

/** The present and the earlier versions of objects, by any id. */
function createVersions(sql: Sql, world: number) {
  const select = sql<ObjectVersion>(`
    SELECT id, revision, position FROM objects WHERE world = ?1 AND type = ?2
    AND id = coalesce((SELECT id FROM aliases WHERE world = ?1 AND type = ?2 AND alias = ?3), ?3)`)
  const selectEarlier = sql<ObjectVersion>(
    'SELECT id, revision, position FROM revisions WHERE world = ? AND type = ? AND id = ? ORDER BY position DESC LIMIT 1 OFFSET ?',
  )
  const countRevisions = sql<{ count: number }>(
    'SELECT count(*) AS count FROM revisions WHERE world = ? AND type = ? AND id = ?',
  )
  const recent = createRecent<string, ObjectVersion | 'none'>(MOST_RECENT)

  function find(type: NotifiedType, id: string): ObjectVersion | undefined {
    const known = recent.get(`${type}/${id}`)
    if (known) return known === 'none' ? undefined : known
    const found = select.get(world, type, id)
    // By another id of the object it is not kept, as that may become the id of another object.
    if (found === undefined || found.id === id) recent.set(`${type}/${id}`, found ?? 'none')
    return found
  }

  return {
    find,
    earlier(type: NotifiedType, id: string, back: number): ObjectVersion | undefined {
      const present = find(type, id)
      if (!present || back === 0) return present
      const count = countRevisions.get(world, type, present.id)?.count ?? 1
      return selectEarlier.get(world, type, present.id, Math.min(back, count - 1))
    },
    change({ object_type, id, revision, aliases = [] }: ObjectHead, position: number): void {
      for (const alias of aliases) recent.delete(`${object_type}/${alias}`)
      if (recent.get(`${object_type}/${id}`)) recent.set(`${object_type}/${id}`, { id, revision, position })
    },
    forget: recent.clear,
  }
}

/** How many objects there are of each type, read once. */
function createCounts(sql: Sql, world: number) {
  const select = sql<{ count: number }>(
    'SELECT coalesce(max(number) + 1, 0) AS count FROM objects WHERE world = ? AND type = ?',
  )
  const countByType = new Map<NotifiedType, number>()
  function get(type: NotifiedType): number {
    const count = countByType.get(type) ?? select.get(world, type)?.count ?? 0
    countByType.set(type, count)
    return count
  }
  return {
    get,
    increment: (type: NotifiedType) => void countByType.set(type, get(type) + 1),
    forget: () => countByType.clear(),
  }
}

function createAdd(sql: Sql, world: number, counts: ReturnType<typeof createCounts>): Objects['add'] {
  const upsert = sql<{ number: number }>(`
    INSERT INTO objects (world, type, id, number, revision, position) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (world, type, id) DO UPDATE SET revision = excluded.revision, position = excluded.position
    RETURNING number`)
  const insertRevision = sql(
    'INSERT INTO revisions (world, type, id, revision, position) VALUES (?, ?, ?, ?, ?)',
  )
  const upsertAlias = sql('INSERT OR REPLACE INTO aliases (world, type, alias, id) VALUES (?, ?, ?, ?)')
  // The first entry with an owner decides which account of a user is the newest.
  const upsertOwner = sql(`
    INSERT INTO account_owners (world, account, user, kind, since, owner) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (world, account) DO UPDATE SET user = excluded.user, kind = excluded.kind, owner = excluded.owner`)

  return ({ object_type, id, revision, aliases = [], owner }, position) => {
    const count = counts.get(object_type)
    if (upsert.get(world, object_type, id, count, revision, position)?.number === count)
      counts.increment(object_type)
    insertRevision.run(world, object_type, id, revision, position)
    for (const alias of aliases) upsertAlias.run(world, object_type, alias, id)
    if (owner && object_type === 'accounts')
      upsertOwner.run(world, id, owner.user_id, owner.account_kind, position, JSON.stringify(owner))
  }
}

function createOwners(sql: Sql, world: number): Pick<Objects, 'accountOwner' | 'newestAccount'> {
  const select = sql<{ owner: string }>('SELECT owner FROM account_owners WHERE world = ? AND account = ?')
  const selectNewest = sql<{ account: string }>(
    'SELECT account FROM account_owners WHERE world = ? AND user = ? AND kind = ? ORDER BY since DESC LIMIT 1',
  )
  return {
    accountOwner(account) {
      const row = select.get(world, account)
      return row && JSON.parse(row.owner)
    },
    newestAccount: (user, kind) => selectNewest.get(world, user, kind)?.account,
  }
}
