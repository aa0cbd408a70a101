import { isDeepStrictEqual } from 'node:util'
import { Collection } from '@mswjs/data'
import { objectId } from '../../spec/models.ts'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import { MODELS } from '../../spec/generated/models.ts'
import type { Store } from '../engine/state/store.ts'
import { checkArgument, SEED_FIELDS } from './arguments.ts'
import { searchById } from './id-queries.ts'

/** What may be given to seed an object, and what is read of it. */
interface ObjectSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'hookbench'
    readonly types?: { readonly input: Input; readonly output: Output }
    validate(value: unknown): Promise<{ readonly value: Output }>
  }
}

/**
 * The objects of one type, to query and to seed. `create` seeds one, with what is left out filled in: the service shows it,
 * nobody is notified. `update` and `delete` are refused.
 */
export type ObjectCollection<Type extends NotifiedType> = Collection<
  ObjectSchema<Partial<ObjectByType[Type]>, ObjectByType[Type]>
>

export interface MirrorPorts<Type extends NotifiedType> {
  readonly type: Type
  readonly store: Pick<Store, 'object' | 'objectIds'>
  /** Stores a new object with these fields, the rest filled in. Throws what is wrong with them, or if its id is taken. */
  readonly seed: (fields: object) => Promise<ObjectByType[Type]>
  /** Waits with what comes from the store until what is seeded has its row. */
  readonly hold: (seeded: Promise<void>) => void
}

/** A collection that shows what the store has. */
export interface Mirror<Type extends NotifiedType> extends MirrorUpdates {
  readonly collection: ObjectCollection<Type>
}

/** They must not overlap each other. */
export interface MirrorUpdates {
  /** Shows the object as the store has it now. */
  show(id: string): Promise<void>
  /** Shows what the store has and nothing else, in its order. */
  replace(): Promise<void>
}

/** Marks what comes from the store, and so is not seeded. */
const STORED = Symbol('stored')

/** What the collection lets happen just now. */
interface Allowed {
  /** Objects that a row may overwrite. */
  readonly changes: Set<object>
  deletion: boolean
}

export function createMirror<Type extends NotifiedType>(ports: MirrorPorts<Type>): Mirror<Type> {
  const { type, store, hold } = ports
  const collection: ObjectCollection<Type> = new Collection({ schema: createSchema(ports) })
  type Row = ReturnType<typeof collection.findMany>[number]
  const allowed: Allowed = { changes: new Set(), deletion: false }
  const shownById = new Map<string, { readonly row: Row; readonly revision: number }>()
  const create = collection.create.bind(collection)

  collection.create = (fields) => {
    // Begins only once what the store has meanwhile waits for the row, which is there when this has ended.
    const seeded = Promise.resolve().then(() => {
      checkArgument(`seed ${type}`, ['fields', SEED_FIELDS], fields)
      return create(fields)
    })
    hold(seeded.then((row) => void shownById.set(objectId(type, row), { row, revision: 1 })))
    return seeded
  }
  refuseChanges(collection, allowed, ports)
  const [field = 'id'] = MODELS[type].ids
  searchById<Row>(collection, { field, find: (id) => shownById.get(id)?.row })

  async function show(id: string): Promise<void> {
    const stored = store.object(type, id)
    const shown = shownById.get(id)
    if (!stored || shown?.revision === stored.revision) return
    const { revision, body } = stored
    const row = shown ? await renew(shown.row, body) : await create({ ...body, [STORED]: true })
    shownById.set(id, { row, revision })
  }

  async function renew(row: Row, object: ObjectByType[Type]): Promise<Row> {
    allowed.changes.add(object)
    try {
      return await collection.update<true>(row, { strict: true, data: (draft) => overwrite(draft, object) })
    } finally {
      allowed.changes.delete(object)
    }
  }

  return {
    collection,
    show,
    async replace() {
      shownById.clear()
      allowed.deletion = true
      try {
        collection.clear()
      } finally {
        allowed.deletion = false
      }
      for (const id of store.objectIds(type)) await show(id)
    },
  }
}

/** Refuses every change but the store's and new objects. */
function refuseChanges<Type extends NotifiedType>(
  { hooks }: ObjectCollection<Type>,
  allowed: Allowed,
  { type }: MirrorPorts<Type>,
): void {
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

function overwrite(draft: object, object: object): void {
  for (const key of Object.keys(draft)) if (!(key in object)) Reflect.deleteProperty(draft, key)
  Object.assign(draft, object)
}

function createSchema<Type extends NotifiedType>({
  seed,
}: MirrorPorts<Type>): ObjectSchema<Partial<ObjectByType[Type]>, ObjectByType[Type]> {
  // Rows carry marks of the collection; only what a user gives carries none.
  const isRow = (value: object): value is ObjectByType[Type] => Object.getOwnPropertySymbols(value).length > 0
  return {
    '~standard': {
      version: 1,
      vendor: 'hookbench',
      async validate(value) {
        const fields = Object(value)
        // A clone has no marks, and is not the store's own.
        return { value: structuredClone(isRow(fields) ? fields : await seed(fields)) }
      },
    },
  }
}
