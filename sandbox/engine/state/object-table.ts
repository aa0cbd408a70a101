import type { NotifiedType } from '../../../spec/notifications.ts'
import type { Column } from '../core/column.ts'
import { createIdTable } from '../core/id-table.ts'
import { createAliases } from './aliases.ts'
import type { ObjectHead } from './entries.ts'
import type { IndexData } from './index-data.ts'

/** Where an object is, as it stands or as it stood. */
export interface ObjectVersion {
  readonly revision: number
  readonly position: number
}

/** Every object of one type by its number, as numbers in columns: some forty bytes each. */
export interface ObjectsOfType {
  /** Takes in the object as it is from this position on; its number. */
  add(head: Pick<ObjectHead, 'id' | 'revision' | 'aliases'>, position: number): number
  /** The number of the object that is kept by this id. */
  numberOf(id: string): number | undefined
  idAt(number: number): string
  /** What the object with this id is kept by. */
  keptId(id: string): string | undefined
  /** By any of its ids, so many versions before its present one; its first if there were fewer. */
  version(id: string, back: number): ObjectVersion | undefined
  /** What objects are kept by, oldest first. */
  ids(): Iterable<string>
  count(): number
  /** From the `start`th, counted from 0, to before the `end`th. */
  idsBetween(start: number, end: number): readonly string[]
  idsBeginning(start: string): readonly string[]
}

export function createObjectsOfType(data: IndexData, type: NotifiedType): ObjectsOfType {
  const column: NamedColumn = (name) => data.column(`objects/${type}/${name}`, 'u32')
  const ids = createIdTable({ words: column('ids'), others: data.map(`objects/${type}/ids`) })
  const aliases = createAliases(data, `objects/${type}/aliases`)
  const versions = createVersions(column)
  const find = (id: string) => aliases.get(id) ?? ids.find(id)
  return {
    add({ id, revision, aliases: others = [] }, position) {
      const known = ids.find(id)
      const number = known ?? ids.push(id)
      versions.add(number, { revision, position })
      for (const alias of others) aliases.set(alias, number)
      return number
    },
    numberOf: ids.find,
    idAt: ids.at,
    keptId(id) {
      const number = find(id)
      return number === undefined ? undefined : ids.at(number)
    },
    version(id, back) {
      const number = find(id)
      return number === undefined ? undefined : versions.at(number, back)
    },
    *ids() {
      for (let number = 0; number < ids.length; number++) yield ids.at(number)
    },
    count: () => ids.length,
    idsBetween: (start, end) => Array.from({ length: end - start }, (_, index) => ids.at(start + index)),
    idsBeginning: ids.beginning,
  }
}

type NamedColumn = (name: string) => Column

/** The present version of each object, and by each version the one before it. */
function createVersions(column: NamedColumn) {
  const position = column('position')
  const revision = column('revision')
  /** Places among the earlier versions plus one; 0 where there is none. */
  const before = column('before')
  const earlier = {
    position: column('earlier/position'),
    revision: column('earlier/revision'),
    before: column('earlier/before'),
  }
  return {
    add(number: number, version: ObjectVersion): void {
      if (number < position.length) {
        earlier.position.push(position.get(number))
        earlier.revision.push(revision.get(number))
        earlier.before.push(before.get(number))
      }
      before.set(number, number < position.length ? earlier.position.length : 0)
      position.set(number, version.position)
      revision.set(number, version.revision)
    },
    at(number: number, back: number): ObjectVersion {
      let place = back === 0 ? 0 : before.get(number)
      if (place === 0) return { revision: revision.get(number), position: position.get(number) }
      for (let step = 1; step < back && earlier.before.get(place - 1) !== 0; step++)
        place = earlier.before.get(place - 1)
      return { revision: earlier.revision.get(place - 1), position: earlier.position.get(place - 1) }
    },
  }
}
