import { join } from 'node:path'
import type { ServeHost, ServeOptions } from '../../sandbox/compose/serve-options.ts'
import { serveSandbox, type ServedSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { timestamp } from '../../sandbox/engine/core/timestamp.ts'
import { newObject } from '../../sandbox/engine/objects/objects.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import { repeat } from './slices.ts'

export interface Opening {
  readonly folder: string
  /** The file name of the store. Defaults to a store in memory. */
  readonly store?: string
  /** The speed of the clock. Defaults to 1. With 0, the clock is manual. */
  readonly speed?: number
  readonly concurrency?: number
  readonly idleMs?: number
}

export interface BenchSandbox extends ServedSandbox {
  readonly attempted: (objectId: string) => Promise<void>
  readonly ready: ReturnType<typeof makeItem>[]
}

export const BENCH_TOKEN = 'a-token-for-measurements-only'

export async function openSandbox(opening: Opening, host?: ServeHost): Promise<BenchSandbox> {
  const { folder, store, speed = 1, concurrency = 64, idleMs } = opening
  const { onAttempt, ...awaiting } = createAwaiting()
  const sandbox = await serveSandbox({
    caFolder: join(folder, 'ca'),
    storePath: store === undefined ? undefined : join(folder, store),
    ...(idleMs !== undefined && { idleMs }),
    host,
    port: 0,
    benchPort: 0,
    benchToken: BENCH_TOKEN,
    speed,
    allowTargets: [],
    settings: defaultSettings,
    concurrency,
    onAttempt,
    onError: (where, error) => console.error(where, error),
  })
  return { ...sandbox, ...awaiting }
}

function createAwaiting(): Pick<BenchSandbox, 'attempted' | 'ready'> &
  Required<Pick<ServeOptions, 'onAttempt'>> {
  const waiting = new Map<string, () => void>()
  return {
    attempted: (objectId) => new Promise<void>((resolve) => waiting.set(objectId, resolve)),
    ready: [],
    onAttempt({ object_id }, { reason }) {
      const resolve = waiting.get(object_id)
      if (resolve && reason !== null) throw new Error(`Cannot measure: a delivery failed: ${reason}`)
      waiting.delete(object_id)
      resolve?.()
    },
  }
}

function makeObject<Type extends NotifiedType>(
  { context: { newId, now } }: Pick<BenchSandbox, 'context'>,
  type: Type,
) {
  return newObject(type, {}, { id: newId(), number: () => 1, now: timestamp(now()), newId })
}

const makeItem = (sandbox: Pick<BenchSandbox, 'context'>) => makeObject(sandbox, 'items')

/** Creates an item, by default without a notification. Returns the path of the item and the JSON text of its Show response. */
export async function createItem(
  sandbox: BenchSandbox,
  { silent = true }: { readonly silent?: boolean } = {},
): Promise<{ path: string; body: string }> {
  const object = makeItem(sandbox)
  await sandbox.commit([{ kind: 'object', object_type: 'items', object, silent }])
  return { path: `/items/${object.id}`, body: JSON.stringify({ items: object }) }
}

/** Creates an object and its notification. Calls `onMade` before the object is stored. */
export async function createObject<Type extends NotifiedType>(
  sandbox: BenchSandbox,
  object_type: Type,
  onMade: (id: string) => void,
): Promise<void> {
  const object = makeObject(sandbox, object_type)
  onMade(String(object.id))
  await sandbox.commit([{ kind: 'object', object_type, object }])
}

export async function registerUrl(
  { context: { newId, now }, commit }: BenchSandbox,
  { url, object_type }: { readonly url: string; readonly object_type: NotifiedType },
): Promise<string> {
  const [id, at] = [newId(), now()]
  const times = { created_at: at, updated_at: at }
  const registration = { id, url, object_type, enabled: true, description: null, ...times }
  await commit([{ kind: 'registration', registration: { generation: 'webhooks', ...registration } }])
  return id
}

/**
 * The number of items to create in advance for each millisecond of the measurement. The sandbox delivers fewer items per
 * millisecond than this number.
 */
const READY_PER_MS = 15

/**
 * Stores new items, `parallel` at a time, and waits until each delivery is recorded. Returns the items per second, excluding the
 * time to create the items.
 */
export function sendFor(
  sandbox: BenchSandbox,
  { forMs, parallel }: { readonly forMs: number; readonly parallel: number },
): Promise<number> {
  const { ready } = sandbox
  while (ready.length < forMs * READY_PER_MS) ready.push(makeItem(sandbox))
  const deliver = async () => {
    const object = ready.pop() ?? makeItem(sandbox)
    const attempted = sandbox.attempted(object.id)
    await sandbox.commit([{ kind: 'object', object_type: 'items', object }])
    await attempted
  }
  return repeat(parallel, deliver)(forMs)
}
