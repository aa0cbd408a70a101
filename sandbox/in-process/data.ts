import { MODELS } from '../../spec/generated/models.ts'
import { notifiedTypes, type NotifiedType } from '../../spec/notifications.ts'
import type { Fields } from '../engine/objects/plausible.ts'
import {
  createLedCollection,
  type LedCollection,
  type ObjectCollection,
  type StoredRow,
} from './collection.ts'
import type { Store } from '../engine/state/store.ts'

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

export interface DataPorts {
  readonly store: Store
  /** The object that these fields make, by the spec. Throws what is wrong with them. */
  readonly complete: (type: NotifiedType, fields: Fields) => object
  /** Stores a new object without notifying anybody. Throws if there is one with its id. */
  readonly seed: (type: NotifiedType, object: object) => Promise<void>
  /** Told of a bug. */
  readonly onError: (error: unknown) => void
}

/** Keeps a collection for each type equal to the store. */
export async function createData({ store, complete, seed, onError }: DataPorts): Promise<LiveData> {
  let turn = Promise.resolve()
  const queue = (run: () => Promise<void>): Promise<void> => {
    turn = after(turn, run, onError)
    return turn
  }
  const ledByType = new Map<NotifiedType, LedCollection>(
    notifiedTypes.map((type) => [
      type,
      createLedCollection({
        type,
        idOf: (object) => idOf(type, object),
        complete: (fields) => complete(type, fields),
        seed: (object) => seed(type, object),
        hold(seeded) {
          // Whether it could be seeded is for the one who seeds to hear.
          const settled = seeded.catch(() => {})
          void queue(() => settled)
        },
      }),
    ]),
  )
  const show = async (type: NotifiedType, id: string) => {
    const row = rowOf(store, type, id)
    if (row) await ledByType.get(type)?.show(row)
  }
  const resync = () =>
    queue(async () => {
      for (const [type, led] of ledByType) await led.replace(rowsOf(store, type))
    })

  store.subscribe((head) => {
    if (head.kind === 'object') void queue(() => show(head.object_type, head.id))
  })
  await resync()
  const collections = [...ledByType].map(([type, { collection }]) => [type, collection] as const)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `complete` and the store give objects of the type
  const data = Object.fromEntries(collections) as unknown as Data
  return { data, synced: () => turn, resync }
}

async function after(
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

function rowOf(store: Store, type: NotifiedType, id: string): StoredRow | undefined {
  const stored = store.object(type, id)
  return stored && { id, revision: stored.revision, object: stored.body }
}

/** Under the first of its type's ids that it has, as the store does. */
function idOf(type: NotifiedType, object: object): string {
  const field = MODELS[type].ids.find((name) => name in object)
  return String(field && Reflect.get(object, field))
}

function rowsOf(store: Store, type: NotifiedType): StoredRow[] {
  return [...store.objectIds(type)].flatMap((id) => rowOf(store, type, id) ?? [])
}
