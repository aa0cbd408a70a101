import type { NotifiedType, ObjectByType } from '../../../../spec/notifications.ts'
import type { AccountKind, AccountOwner, ObjectHead } from '../entries.ts'
import { parse, type Values } from '../sql.ts'
import { damage } from '../storage-error.ts'
import type { World } from './world.ts'
import { readEntry } from './history.ts'

/** Where the body of an object is in the history. */
interface Version {
  readonly id: string
  readonly revision: number
  readonly position: number
}

export function addObject(world: World, head: ObjectHead, position: number): void {
  const { object_type, id, revision, aliases = [], owner } = head
  const before = findKept(world, object_type, id)
  if (before) {
    world.run('UPDATE objects SET revision = ?4, position = ?5 WHERE world = ?1 AND type = ?2 AND id = ?3', [
      object_type,
      id,
      revision,
      position,
    ])
    world.run('INSERT INTO revisions (world, type, id, revision, position) VALUES (?, ?, ?, ?, ?)', [
      object_type,
      id,
      before.revision,
      before.position,
    ])
  } else
    world.run(
      `INSERT INTO objects (world, type, id, revision, position, number) VALUES (?1, ?2, ?3, ?4, ?5,
       (SELECT coalesce(max(number) + 1, 0) FROM objects WHERE world = ?1 AND type = ?2))`,
      [object_type, id, revision, position],
    )
  world.keep(object_type, id, { id, revision, position } satisfies Version)
  for (const alias of aliases) {
    world.run('INSERT OR REPLACE INTO aliases (world, type, alias, id) VALUES (?, ?, ?, ?)', [
      object_type,
      alias,
      id,
    ])
    world.keep(aliasesOf(object_type), alias, id)
  }
  // The first entry with an owner decides which account of a user is the newest.
  if (owner && object_type === 'accounts')
    world.run(
      `INSERT INTO account_owners (world, account, user, kind, since, owner) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET user = excluded.user, kind = excluded.kind, owner = excluded.owner`,
      [id, owner.user_id, owner.account_kind, position, JSON.stringify(owner)],
    )
}

const aliasesOf = (type: string) => `aliases of ${type}`

const VERSION = 'SELECT id, revision, position FROM objects WHERE world = ?1 AND type = ?2'
const KEPT = `${VERSION} AND id = ?3`
const BY_ANY_ID = `
  ${VERSION} AND id = coalesce((SELECT id FROM aliases WHERE world = ?1 AND type = ?2 AND alias = ?3), ?3)`

function findKept(world: World, type: string, id: string): Version | undefined {
  return world.cached(type, id, () => world.get<Version>(KEPT, [type, id]))
}

/** By any of its ids. */
function find(world: World, type: string, id: string): Version | undefined {
  const otherId = world.cached(aliasesOf(type), id, () => {
    const found = world.get<Version>(BY_ANY_ID, [type, id])
    world.keep(type, found?.id ?? id, found ?? null)
    return found && found.id !== id ? found.id : undefined
  })
  return findKept(world, type, otherId ?? id)
}

const EARLIER = `
  SELECT id, revision, position FROM revisions WHERE world = ?1 AND type = ?2 AND id = ?3
  ORDER BY position DESC
  LIMIT 1 OFFSET min(?4, (SELECT count(*) - 1 FROM revisions WHERE world = ?1 AND type = ?2 AND id = ?3))`

export interface StoredObject<Body> {
  readonly revision: number
  readonly body: Body
}

export type ObjectView = ReturnType<typeof createObjectView>

export function createObjectView(world: World) {
  const present = (type: NotifiedType, id: string) => find(world, type, id)

  function read<Body>(type: NotifiedType, version: Version | undefined): StoredObject<Body> | undefined {
    if (!version) return undefined
    const { id, revision, position } = version
    const { head, body } = readEntry(world, position)
    if (head.kind !== 'object' || head.id !== id || head.object_type !== type || head.revision !== revision)
      throw damage(world.path, `the row of ${type} ${id} is damaged`)
    return { revision, body: JSON.parse(body) }
  }

  const ids = (rest: string, values: Values) =>
    world.column<string>(`SELECT id FROM objects WHERE world = ? AND type = ? ${rest}`, values)

  return {
    object: <Type extends NotifiedType>(type: Type, id: string) =>
      read<ObjectByType[Type]>(type, present(type, id)),
    /** As it was so many revisions ago, or at its first if there were fewer. */
    earlierObject<Type extends NotifiedType>(type: Type, id: string, back: number) {
      const version = present(type, id)
      const earlier =
        version && back > 0 ? world.get<Version>(EARLIER, [type, version.id, back - 1]) : undefined
      return read<ObjectByType[Type]>(type, earlier ?? version)
    },
    /** Another number after each change of the object, and in each world. */
    objectVersion(type: NotifiedType, id: string) {
      const version = present(type, id)
      return version && world.epoch * 2 ** 32 + version.position
    },
    /** In the order of their creation, as the next two. */
    objectIds: (type: NotifiedType) => ids('ORDER BY number', [type]),
    objectCount: (type: NotifiedType): number =>
      world.value('SELECT coalesce(max(number) + 1, 0) FROM objects WHERE world = ? AND type = ?', [type]),
    /** From the `start`th of the type, counted from 0, to before the `end`th. */
    objectIdsBetween: (type: NotifiedType, start: number, end: number) =>
      ids('AND number >= ? AND number < ? ORDER BY number', [type, start, end]),
    /** The ids that objects of the type are kept by, and that begin so. */
    objectIdsBeginning: (type: NotifiedType, start: string) =>
      ids('AND id >= ? AND id < ? ORDER BY number', [type, start, `${start}\u{10FFFF}`]),
    keptId: (type: NotifiedType, id: string) => present(type, id)?.id,
    /** The account of a user; of several of this kind, the newest. */
    accountId: (user: string, kind: AccountKind): string | undefined =>
      world.value(
        'SELECT account FROM account_owners WHERE world = ? AND user = ? AND kind = ? ORDER BY since DESC LIMIT 1',
        [user, kind],
      ),
    accountOwner: (account: string): AccountOwner | undefined =>
      parse(world.value('SELECT owner FROM account_owners WHERE world = ? AND account = ?', [account])),
  }
}
