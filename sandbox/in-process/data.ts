import type { NotifiedType, ObjectByType } from '../../spec/notifications.ts'
import type { Assembled } from '../compose/assemble.ts'
import { ApiError } from '../engine/core/api-error.ts'
import { createMirror, type MirrorUpdates, type ObjectCollection } from './collection.ts'

/** The objects as collections, to query and to seed, whichever the store is. */
export type Data = { readonly [Type in NotifiedType]: ObjectCollection<Type> }

export interface LiveData {
  readonly data: Data
  /** Resolves when the collections show everything that is durable. */
  synced(): Promise<void>
  /**
   * Makes the collections equal to the store again, after everything in it was replaced; rows that are gone from it go. What
   * is seeded before it resolves may have two rows.
   */
  resync(): Promise<void>
}

export interface DataPorts extends Pick<Assembled, 'store' | 'performSilently'> {
  /** Called with what is a bug. */
  readonly onError: (error: unknown) => void
}

/** Keeps a collection for each type equal to the store. */
export async function createData({ store, performSilently, onError }: DataPorts): Promise<LiveData> {
  let turn = Promise.resolve()
  const queue = (run: () => Promise<void>): Promise<void> => {
    turn = runAfter(turn, run, onError)
    return turn
  }

  const mirrorByType = new Map<NotifiedType, MirrorUpdates>()
  function mirror<Type extends NotifiedType>(type: Type): ObjectCollection<Type> {
    const { collection, ...updates } = createMirror<Type>({
      type,
      store,
      seed: (fields) => seed(type, fields, { store, performSilently }),
      hold(seeded) {
        // A failure is thrown to the caller that seeds.
        const ended = seeded.catch(() => {})
        void queue(() => ended)
      },
    })
    mirrorByType.set(type, updates)
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
  const resync = () =>
    queue(async () => {
      for (const mirrored of mirrorByType.values()) await mirrored.replace()
    })

  store.subscribe((head) => {
    if (head.kind === 'object') void queue(async () => mirrorByType.get(head.object_type)?.show(head.id))
  })
  await resync()
  return { data, synced: () => turn, resync }
}

/** Makes an object as the control API does, but notifies nobody. */
async function seed<Type extends NotifiedType>(
  type: Type,
  fields: object,
  { store, performSilently }: Pick<DataPorts, 'store' | 'performSilently'>,
): Promise<ObjectByType[Type]> {
  try {
    const { id } = await performSilently('createObject', { path: { type }, query: {}, body: { ...fields } })
    const stored = store.object(type, id)
    if (!stored) throw new RangeError(`Cannot find ${type} "${id}"`)
    return stored.body
  } catch (error) {
    throw error instanceof ApiError ? seedingError(type, error) : error
  }
}

async function runAfter(
  before: Promise<void>,
  run: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  await before
  try {
    await run()
  } catch (error) {
    onError(error)
  }
}

function seedingError(type: NotifiedType, cause: ApiError): TypeError {
  const problems = cause.problems.map(({ message }) => message)
  return new TypeError(`Cannot seed ${type}: ${problems.join('; ')}`, { cause })
}
