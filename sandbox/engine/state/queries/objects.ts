import { MODELS } from '../../../../spec/generated/models.ts'
import type { NotifiedType, ObjectByType } from '../../../../spec/notifications.ts'
import type { AccountKind, AccountOwner, ObjectHead } from '../entries.ts'
import { damage } from '../storage-error.ts'
import type { StoredWorld } from './world.ts'
import { readEntry, readHead } from './history.ts'

interface Version {
  readonly id: string
  readonly revision: number
  readonly position: number
}

export function addObject(world: StoredWorld, head: ObjectHead, position: number): void {
  const { object_type: type, id, revision, aliases: [alias = null] = [], owner } = head
  const { objects } = world.state
  const count = objects[type] ?? 0
  const isNew = findNewest(world, type, id) === undefined
  if (isNew) objects[type] = count + 1
  const ofFirst = isNew ? [count, alias, owner?.account_kind ?? null] : [null, null, null]
  world.run(INSERT, [id, type, position, revision, owner?.user_id ?? null, ...ofFirst])
  const version: Version = { id, revision, position }
  world.keep(type, id, version)
  if (isNew && alias !== null) world.keep(type, alias, version)
}

const INSERT = `INSERT INTO objects (world, id, type, position, revision, owner, number, alias, account_kind)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

const SELECT = 'SELECT id, revision, position FROM objects'
const NEWEST = `${SELECT} WHERE world = ? AND id = ? AND type = ? ORDER BY position DESC LIMIT 1`
const EARLIER = `${NEWEST} OFFSET min(?, (SELECT count(*) - 1 FROM objects WHERE world = ? AND id = ? AND type = ?))`
// Names the index, because SQLite would read all rows of the world.
const BY_ALIAS = `${SELECT} INDEXED BY objects_by_alias WHERE world = ? AND alias = ? AND type = ?`

const NUMBER = /^\d+$/

function findNewest(world: StoredWorld, type: NotifiedType, id: string): Version | undefined {
  // An alias is a number in all types.
  const mayBeAlias = MODELS[type].ids.length > 1 && NUMBER.test(id)
  const found = world.cached(
    type,
    id,
    () =>
      world.get<Version>(NEWEST, [id, type]) ??
      (mayBeAlias ? world.get<Version>(BY_ALIAS, [id, type]) : undefined),
  )
  // For an alias, the cache may have an earlier version of the object.
  return found && found.id !== id ? findNewest(world, type, found.id) : found
}

export interface StoredObject<Body> {
  readonly revision: number
  readonly body: Body
}

export type ObjectView = ReturnType<typeof createObjectView>

export function createObjectView(world: StoredWorld) {
  const present = (type: NotifiedType, id: string) => findNewest(world, type, id)

  function read<Body>(type: NotifiedType, version: Version | undefined): StoredObject<Body> | undefined {
    if (!version) return undefined
    const { id, revision, position } = version
    const { head, body } = readEntry(world, position)
    if (head.kind !== 'object' || head.id !== id || head.object_type !== type || head.revision !== revision)
      throw damage(world.path, `the row of ${type} ${id} is damaged`)
    return { revision, body: JSON.parse(body) }
  }

  const count = (type: NotifiedType): number => world.state.objects[type] ?? 0
  const idsBetween = (type: NotifiedType, start: number, end: number) =>
    world.column<string>(
      'SELECT id FROM objects WHERE world = ? AND number >= ? AND number < ? AND type = ? ORDER BY number',
      [start, end, type],
    )

  return {
    object: <Type extends NotifiedType>(type: Type, id: string) =>
      read<ObjectByType[Type]>(type, present(type, id)),
    /** Returns the object as it was `back` revisions ago. If there are fewer revisions, returns the first revision. */
    earlierObject<Type extends NotifiedType>(type: Type, id: string, back: number) {
      const version = present(type, id)
      const earlier =
        version && back > 0
          ? world.get<Version>(EARLIER, [version.id, type, back, world.number, version.id, type])
          : undefined
      return read<ObjectByType[Type]>(type, earlier ?? version)
    },
    /** Returns a number that changes with each change to the object, and is different in each world. */
    objectVersion(type: NotifiedType, id: string) {
      const version = present(type, id)
      return version && world.epoch * 2 ** 32 + version.position
    },
    /** Returns the ids of all objects of a type, in the order of creation. */
    objectIds: (type: NotifiedType) => idsBetween(type, 0, count(type)),
    objectCount: count,
    /** Returns a range of object ids. `start` is zero-based, and `end` is exclusive. */
    objectIdsBetween: idsBetween,
    objectIdsBeginning: (type: NotifiedType, start: string) =>
      world.column<string>(
        `SELECT id FROM objects WHERE world = ? AND id >= ? AND id < ? AND type = ? AND number IS NOT NULL
         ORDER BY +number`,
        [start, `${start}\u{10FFFF}`, type],
      ),
    storedId: (type: NotifiedType, id: string) => present(type, id)?.id,
    ...createOwnerView(world),
  }
}

function createOwnerView(world: StoredWorld) {
  return {
    /** Returns the user's newest account of this kind. */
    accountId: (user: string, kind: AccountKind): string | undefined =>
      world.value(
        'SELECT id FROM objects WHERE world = ? AND owner = ? AND account_kind = ? ORDER BY position DESC LIMIT 1',
        [user, kind],
      ),
    accountOwner(account: string): AccountOwner | undefined {
      const position = world.value<number | undefined>(
        `SELECT position FROM objects WHERE world = ? AND id = ? AND type = 'accounts' AND owner IS NOT NULL
         ORDER BY position DESC LIMIT 1`,
        [account],
      )
      const head = position === undefined ? undefined : readHead(world, position)
      return head?.kind === 'object' ? head.owner : undefined
    },
  }
}
