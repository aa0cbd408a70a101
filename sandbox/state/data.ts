import { Collection } from '@mswjs/data'
import type { Item } from '../../spec/generated/service-types.ts'
import { validators } from '../../spec/generated/service-validators.ts'
import { newItem } from '../objects/items.ts'
import type { Fields } from '../objects/plausible.ts'
import { timestamp, type Context, type Write } from '../operations/operation.ts'
import type { Store } from './store.ts'

/** What is read of an item in a collection, and what may be given to seed one. */
interface ItemSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'hookbench'
    readonly types?: { readonly input: Partial<Item>; readonly output: Item }
    validate(
      value: unknown,
    ): { readonly value: Item } | { readonly issues: readonly { readonly message: string }[] }
  }
}

/** The objects as collections, to query and to seed. */
export interface Data {
  /**
   * `create` seeds an item, with what is left out filled in: the service shows it, nobody is notified. `update` and
   * `delete` are refused.
   */
  readonly items: Collection<ItemSchema>
}

export interface LiveData {
  readonly data: Data
  /** Resolves when the collections show everything that is durable. */
  synced(): Promise<void>
}

export interface DataPorts {
  readonly store: Store
  readonly context: Pick<Context, 'now' | 'newId'>
  readonly commit: (writes: readonly Write[]) => Promise<void>
}

/** Keeps a collection equal to the store, whichever driver it has. */
export async function createData({ store, context, commit }: DataPorts): Promise<LiveData> {
  const items = new Collection({ schema: itemSchema(context) })
  const seeding = new Set<string>()
  const mirroring = new Set<string>()
  let turn = Promise.resolve()

  async function mirror(id: string): Promise<void> {
    const item = store.object('items', id)?.body
    if (!item) return
    const shown = items.findFirst((query) => query.where({ id }))
    mirroring.add(id)
    try {
      if (shown) await items.update(shown, { data: (draft) => void Object.assign(draft, item) })
      else await items.create(item)
    } finally {
      mirroring.delete(id)
    }
  }

  // The collection waits for what its hooks return.
  // oxlint-disable-next-line typescript/no-misused-promises -- its types do not say so
  items.hooks.on('create', async ({ data: { record: item } }) => {
    if (mirroring.has(item.id)) return
    if (store.object('items', item.id)) throw new Error(`Cannot seed items "${item.id}": it exists`)
    seeding.add(item.id)
    await commit([{ kind: 'object', object_type: 'items', object: { ...item }, silent: true }])
  })
  items.hooks.on('update', ({ data: { prevRecord } }) => {
    if (!mirroring.has(prevRecord.id))
      throw new Error("Cannot update items through the collection: call sandbox.change('items', id, …)")
  })
  items.hooks.on('delete', () => {
    throw new Error('Cannot delete items: the service keeps every object')
  })
  store.subscribe((head) => {
    if (head.kind !== 'object' || seeding.delete(head.id)) return
    turn = turn.then(() => mirror(head.id))
  })
  for (const id of store.objectIds('items')) await mirror(id)
  return { data: { items }, synced: () => turn }
}

function itemSchema({ now, newId }: DataPorts['context']): ItemSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'hookbench',
      validate(value) {
        const fields: Fields = typeof value === 'object' && value !== null ? { ...value } : {}
        const id = typeof fields['id'] === 'string' ? fields['id'] : newId()
        const item: unknown = newItem(fields, { id, now: timestamp(now()), newId })
        if (validators.Item(item)) return { value: item }
        const [problem] = validators.Item.errors ?? []
        throw new TypeError(`Cannot seed an item: "${problem?.instancePath.slice(1)}" ${problem?.message}`)
      },
    },
  }
}
