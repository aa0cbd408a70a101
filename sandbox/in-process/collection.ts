import { isDeepStrictEqual } from 'node:util'
import { Collection } from '@mswjs/data'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { Fields } from '../engine/objects/plausible.ts'

/** What may be given to seed an object, and what is read of it. */
interface ObjectSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'hookbench'
    readonly types?: { readonly input: Input; readonly output: Output }
    validate(value: unknown): { readonly value: Output }
  }
}

/**
 * The objects of one type, to query and to seed. `create` seeds one, with what is left out filled in: the service shows it,
 * nobody is notified. `update` and `delete` are refused.
 */
export type ObjectCollection<Type extends NotifiedType> = Collection<
  ObjectSchema<Partial<ObjectByType[Type]>, ObjectByType[Type]>
>

/** A collection before it is told which type its objects are of. */
export type AnyCollection = Collection<ObjectSchema<object, object>>

/** An object as the store has it. */
export interface StoredRow {
  readonly id: string
  readonly revision: number
  readonly object: object
}

export interface CollectionPorts {
  readonly type: NotifiedType
  /** What the store keeps an object by. */
  readonly idOf: (object: object) => string
  /** The object that these fields make, by the spec. Throws what is wrong with them. */
  readonly complete: (fields: Fields) => object
  /** Puts a new object into the store. Throws if there is one with its id. */
  readonly seed: (object: object) => Promise<void>
  /** Waits with what comes from the store, until what is seeded has its row. */
  readonly hold: (seeded: Promise<void>) => void
}

/** A collection that is led by the store. Its moves must not overlap each other. */
export interface LedCollection {
  readonly collection: AnyCollection
  /** Shows the object as the store has it now. */
  show(row: StoredRow): Promise<void>
  /** Shows these objects and no others, in their order. */
  replace(rows: Iterable<StoredRow>): Promise<void>
}

type Row = Awaited<ReturnType<AnyCollection['create']>>

interface Shown {
  readonly row: Row
  readonly revision: number
}

/** Marks what comes from the store, and so is neither completed nor seeded. */
const STORED = Symbol('stored')

/** What the collection lets happen just now. */
interface Allowed {
  /** Objects that a row may become. */
  readonly changes: Set<object>
  deletion: boolean
}

export function createLedCollection(ports: CollectionPorts): LedCollection {
  const collection: AnyCollection = new Collection({ schema: schemaOf(ports) })
  const allowed: Allowed = { changes: new Set(), deletion: false }
  // Looking up in a collection is a scan.
  const shownById = new Map<string, Shown>()
  const create = collection.create.bind(collection)

  // What is stored meanwhile must find the row, which is there only when this has ended.
  collection.create = (fields) => {
    const seeded = create(fields)
    ports.hold(seeded.then((row) => void shownById.set(ports.idOf(row), { row, revision: 1 })))
    return seeded
  }
  guard(collection, allowed, ports)

  async function show({ id, revision, object }: StoredRow): Promise<void> {
    const shown = shownById.get(id)
    if (shown?.revision === revision) return
    const row = shown ? await renew(shown.row, object) : await create({ ...object, [STORED]: true })
    shownById.set(id, { row, revision })
  }

  async function renew(row: Row, object: object): Promise<Row> {
    allowed.changes.add(object)
    try {
      return await collection.update<true>(row, { strict: true, data: (draft) => become(draft, object) })
    } finally {
      allowed.changes.delete(object)
    }
  }

  return {
    collection,
    show,
    async replace(rows) {
      shownById.clear()
      allowed.deletion = true
      try {
        collection.clear()
      } finally {
        allowed.deletion = false
      }
      for (const row of rows) await show(row)
    },
  }
}

/** Seeds what is created, and refuses every other change that is not the store's. */
function guard({ hooks }: AnyCollection, allowed: Allowed, { type, seed }: CollectionPorts): void {
  // The collection waits for what its hooks return.
  // oxlint-disable-next-line typescript/no-misused-promises -- its types do not say so
  hooks.on('create', async ({ data: { record, initialValues = {} } }) => {
    if (!(STORED in initialValues)) await seed(record)
  })
  hooks.on('update', ({ data: { nextRecord } }) => {
    if ([...allowed.changes].some((object) => isDeepStrictEqual({ ...nextRecord }, object))) return
    throw new Error(`Cannot update ${type} through the collection: call sandbox.change('${type}', id, …)`)
  })
  hooks.on('delete', () => {
    if (allowed.deletion) return
    throw new Error(
      `Cannot delete ${type}: the service keeps every object; call sandbox.change('${type}', id, …) to move it on`,
    )
  })
}

function become(draft: object, object: object): void {
  for (const key of Object.keys(draft)) if (!(key in object)) Reflect.deleteProperty(draft, key)
  Object.assign(draft, object)
}

function schemaOf({ complete }: CollectionPorts): ObjectSchema<object, object> {
  return {
    '~standard': {
      version: 1,
      vendor: 'hookbench',
      validate(value) {
        const fields: Fields = Object.fromEntries(Object.entries(Object(value)))
        // Rows carry marks of the collection; only what a user gives carries none.
        const isRow = Object.getOwnPropertySymbols(value).length > 0
        return { value: isRow ? { ...fields } : { ...complete(fields) } }
      },
    },
  }
}
