import { Collection } from '@mswjs/data'
import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { Assembled } from '../compose/assemble.ts'
import { ApiError } from '../engine/core/api-error.ts'
import { copyObject } from './arguments.ts'

/** The Standard Schema of a collection. `Input` has the fields for seeding an object. `Output` is the stored object. */
interface ObjectSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'hookbench'
    readonly types?: { readonly input: Input; readonly output: Output }
    validate(value: unknown): { readonly value: Output }
  }
}

/** The objects of a type. Seeded objects appear in the API without a notification. `update` and `delete` throw. */
type ObjectCollection<Type extends NotifiedType> = Collection<
  ObjectSchema<Partial<ObjectByType[Type]>, ObjectByType[Type]>
>

/** The objects of the service, as one collection for each type. */
export type Data = { readonly [Type in NotifiedType]: ObjectCollection<Type> }

export type LiveData = Awaited<ReturnType<typeof createData>>

export interface DataPorts extends Pick<Assembled, 'store' | 'performSilently'> {
  readonly onError: (error: unknown) => void
}

export async function createData(ports: DataPorts) {
  const mirrorByType = new Map<NotifiedType, Omit<ReturnType<typeof createMirror>, 'collection'>>()
  function mirror<Type extends NotifiedType>(type: Type): ObjectCollection<Type> {
    const { collection, ...follow } = createMirror(type, ports)
    mirrorByType.set(type, follow)
    return collection
  }

  const data: Data = {
    items: mirror('items'),
    users: mirror('users'),
    batch_transactions: mirror('batch_transactions'),
    accounts: mirror('accounts'),
    transactions: mirror('transactions'),
    disbursements: mirror('disbursements'),
    companies: mirror('companies'),
    virtual_accounts: mirror('virtual_accounts'),
  }
  const mirrors = [...mirrorByType.values()]
  /** Returns a promise that resolves when the collections contain all durable changes. */
  const synced = async () => void (await Promise.all(mirrors.map((each) => each.synced())))
  const resync = () => {
    for (const { replace } of mirrors) replace()
    return synced()
  }
  ports.store.subscribe((head) => {
    if (head.kind === 'object') mirrorByType.get(head.object_type)?.show(head.id)
  })
  await resync()
  return { data, synced, resync }
}

/** Creates a collection that applies the store's changes one by one. */
function createMirror<Type extends NotifiedType>(type: Type, { store, performSilently, onError }: DataPorts) {
  const collection: ObjectCollection<Type> = new Collection({ schema: createSchema<Type>() })
  const { create, update, clear } = refuseChanges(type, collection)
  type Row = ReturnType<typeof collection.findMany>[number]
  const shownById = new Map<string, { readonly row: Row; readonly revision: number }>()
  let turn = Promise.resolve()
  const queue = (run: () => Promise<void>): void => {
    turn = turn.then(run).catch(onError)
  }

  async function show(id: string): Promise<void> {
    const stored = store.object(type, id)
    const shown = shownById.get(id)
    if (!stored || shown?.revision === stored.revision) return
    const { revision, body } = stored
    const row = shown
      ? await update<true>(shown.row, { strict: true, data: (draft) => overwrite(draft, body) })
      : await create(body)
    shownById.set(id, { row, revision })
  }

  // `seed` resolves after the store has reported the object. By then, the queue of changes contains the new row.
  collection.create = async (fields) => {
    const { id } = await seed(type, copyObject(`seed ${type}`, 'fields', fields), performSilently)
    await turn
    const shown = shownById.get(id)
    if (!shown) throw new RangeError(`Cannot find ${type} "${id}"`)
    return shown.row
  }

  return {
    collection,
    show: (id: string) => queue(() => show(id)),
    /** Replaces all rows with the objects of the store, in the order of creation. */
    replace: () =>
      queue(async () => {
        shownById.clear()
        clear()
        for (const id of store.objectIds(type)) await show(id)
      }),
    synced: () => turn,
  }
}

/** Replaces the methods that change a collection with methods that throw an error. Returns the original methods. */
function refuseChanges<Type extends NotifiedType>(type: Type, collection: ObjectCollection<Type>) {
  const create = collection.create.bind(collection)
  const update = collection.update.bind(collection)
  const clear = collection.clear.bind(collection)
  collection.update = collection.updateMany = async () => {
    throw new Error(`Cannot update ${type} through the collection. Call sandbox.change('${type}', id, …)`)
  }
  collection.delete =
    collection.deleteMany =
    collection.clear =
      () => {
        throw new Error(
          `Cannot delete ${type}: the service keeps every object. Call sandbox.change('${type}', id, …) to change its state`,
        )
      }
  return { create, update, clear }
}

function overwrite(draft: object, object: object): void {
  for (const key of Object.keys(draft)) if (!(key in object)) Reflect.deleteProperty(draft, key)
  Object.assign(draft, object)
}

/** Creates a schema that accepts every object, because the store has validated it. A row is a clone of the stored object. */
function createSchema<Type extends NotifiedType>(): ObjectSchema<
  Partial<ObjectByType[Type]>,
  ObjectByType[Type]
> {
  return {
    '~standard': {
      version: 1,
      vendor: 'hookbench',
      validate: (value: ObjectByType[Type]) => ({ value: structuredClone(value) }),
    },
  }
}

/** Creates an object as the control API does, but without notifications. */
async function seed(type: NotifiedType, fields: object, performSilently: DataPorts['performSilently']) {
  try {
    return await performSilently('createObject', { path: { type }, body: { ...fields } })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const problems = error.problems.map(({ message }) => message)
    throw new TypeError(`Cannot seed ${type}: ${problems.join('; ')}`, { cause: error })
  }
}
