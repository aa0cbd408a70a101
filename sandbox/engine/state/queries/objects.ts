import { MODELS } from '../../../../spec/generated/models.ts'
import type { NotifiedType, ObjectByType } from '../../../../spec/notifications.ts'
import type { AccountKind, AccountOwner, ObjectHead } from '../entries.ts'
import { parse, type Values } from '../sql.ts'
import { damage } from '../storage-error.ts'
import type { StoredWorld } from './world.ts'
import { readEntry } from './history.ts'

interface Version {
  readonly id: string
  readonly revision: number
  readonly position: number
}

export function addObject(world: StoredWorld, head: ObjectHead, position: number): void {
  const { object_type, id, revision, aliases = [], owner } = head
  const isNew = findKept(world, object_type, id) === undefined
  // Only the first version of an object gets a number in the order of creation.
  const number = isNew ? countObjects(world, object_type) : null
  if (number !== null) countsOf(world).set(object_type, number + 1)
  world.run('INSERT INTO objects (world, type, id, revision, position, number) VALUES (?, ?, ?, ?, ?, ?)', [
    object_type,
    id,
    revision,
    position,
    number,
  ])
  world.keep(object_type, id, { id, revision, position } satisfies Version)
  for (const alias of aliases) {
    world.run('INSERT OR REPLACE INTO aliases (world, type, alias, id) VALUES (?, ?, ?, ?)', [
      object_type,
      alias,
      id,
    ])
    world.keep(aliasesOf(object_type), alias, id)
  }
  // Does not update `since`, because accounts are ordered by the time of their first owner.
  if (owner && object_type === 'accounts')
    world.run(
      `INSERT INTO account_owners (world, account, user, kind, since, owner) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET user = excluded.user, kind = excluded.kind, owner = excluded.owner`,
      [id, owner.user_id, owner.account_kind, position, JSON.stringify(owner)],
    )
}

const countsOf = (world: StoredWorld) => world.held('object counts', () => new Map<string, number>())

function countObjects(world: StoredWorld, type: string): number {
  // Excludes null explicitly, because otherwise SQLite does not use the index.
  const text = `SELECT coalesce(max(number) + 1, 0) FROM objects WHERE world = ? AND type = ? AND number IS NOT NULL`
  return countsOf(world).get(type) ?? world.value<number>(text, [type])
}

const aliasesOf = (type: string) => `aliases of ${type}`

const NEWEST = `SELECT id, revision, position FROM objects WHERE world = ? AND type = ? AND id = ?
  ORDER BY position DESC LIMIT 1`
const EARLIER = `${NEWEST} OFFSET min(?, (SELECT count(*) - 1 FROM objects WHERE world = ? AND type = ? AND id = ?))`

function findKept(world: StoredWorld, type: string, id: string): Version | undefined {
  return world.cached(type, id, () => world.get<Version>(NEWEST, [type, id]))
}

function find(world: StoredWorld, type: NotifiedType, id: string): Version | undefined {
  const kept = findKept(world, type, id)
  if (kept || MODELS[type].ids.length === 1) return kept
  const storedId = world.cached(aliasesOf(type), id, () =>
    world.value<string | undefined>('SELECT id FROM aliases WHERE world = ? AND type = ? AND alias = ?', [
      type,
      id,
    ]),
  )
  return storedId === undefined ? undefined : findKept(world, type, storedId)
}

export interface StoredObject<Body> {
  readonly revision: number
  readonly body: Body
}

export type ObjectView = ReturnType<typeof createObjectView>

export function createObjectView(world: StoredWorld) {
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
    world.column<string>(
      `SELECT id FROM objects WHERE world = ? AND type = ? AND number IS NOT NULL ${rest}`,
      values,
    )

  return {
    object: <Type extends NotifiedType>(type: Type, id: string) =>
      read<ObjectByType[Type]>(type, present(type, id)),
    /** Returns the object as it was `back` revisions ago. If there are fewer revisions, returns the first revision. */
    earlierObject<Type extends NotifiedType>(type: Type, id: string, back: number) {
      const version = present(type, id)
      const earlier =
        version && back > 0
          ? world.get<Version>(EARLIER, [type, version.id, back, world.number, type, version.id])
          : undefined
      return read<ObjectByType[Type]>(type, earlier ?? version)
    },
    /** Returns a number that changes with each change to the object, and is different in each world. */
    objectVersion(type: NotifiedType, id: string) {
      const version = present(type, id)
      return version && world.epoch * 2 ** 32 + version.position
    },
    /** Returns the ids of all objects of a type, in the order of creation. */
    objectIds: (type: NotifiedType) => ids('ORDER BY number', [type]),
    objectCount: (type: NotifiedType) => countObjects(world, type),
    /** Returns a range of object ids. `start` is zero-based, and `end` is exclusive. */
    objectIdsBetween: (type: NotifiedType, start: number, end: number) =>
      ids('AND number >= ? AND number < ? ORDER BY number', [type, start, end]),
    objectIdsBeginning: (type: NotifiedType, start: string) =>
      ids('AND id >= ? AND id < ? ORDER BY number', [type, start, `${start}\u{10FFFF}`]),
    storedId: (type: NotifiedType, id: string) => present(type, id)?.id,
    /** Returns the user's newest account of this kind. */
    accountId: (user: string, kind: AccountKind): string | undefined =>
      world.value(
        'SELECT account FROM account_owners WHERE world = ? AND user = ? AND kind = ? ORDER BY since DESC LIMIT 1',
        [user, kind],
      ),
    accountOwner: (account: string): AccountOwner | undefined =>
      parse(world.value('SELECT owner FROM account_owners WHERE world = ? AND account = ?', [account])),
  }
}
