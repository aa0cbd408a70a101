import { careful, type Judgement } from './judgement.ts'
import { look } from './look.ts'
import type { Notice } from './notice.ts'
import type { ServiceClient } from './service-client.ts'
import type { Effects, Store } from './store.ts'
import type { Entry } from './rows.ts'

/**
 * What a receiver does behind its door, whatever HTTP framework the door is made of: it keeps what arrives, asks the service
 * what is true, and acts once. Hand it each notice, and answer 2xx when `accept` has returned.
 */
export interface Core {
  /** Durable when it returns. Throws if it cannot be kept: then answer 5xx, and the service sends it again. */
  accept(notice: Notice): void
  effectsOf(type: string, id: string): Effects
  /** Resolves when everything that was accepted is dealt with. */
  settled(): Promise<void>
  /** What is not dealt with stays in the store for the next start. */
  close(): Promise<void>
}

export interface CoreParts {
  readonly store: Store
  readonly service: ServiceClient
  readonly judgement?: Judgement
  readonly onError: (error: unknown) => void
}

/** So many objects are asked for at the same time; one that hangs keeps no other waiting. */
const AT_ONCE = 64
/** After a mistake of our own. */
const AFTER_ERROR_MS = 60_000

/** Goes on with what the store still holds from before. */
export function openCore({ store, service, judgement = careful, onError }: CoreParts): Core {
  /** By object: two looks at the same one could end in the wrong order. */
  const looks = new Map<string, Promise<void>>()
  let waiting: NodeJS.Timeout | undefined
  let isClosed = false
  const whenSettled: (() => void)[] = []

  function wake(): void {
    if (isClosed) return
    clearTimeout(waiting)
    const pending = Map.groupBy(store.entries(), ({ type, id }) => `${type} ${id}`)
    for (const [object, entries] of pending) {
      if (looks.size < AT_ONCE && !looks.has(object) && dueAt(entries) <= Date.now())
        looks.set(object, lookAndGoOn(object, entries))
    }
    const idle = [...pending].filter(([object]) => !looks.has(object)).map(([, entries]) => dueAt(entries))
    if (idle.length > 0 && looks.size < AT_ONCE) waiting = setTimeout(wake, Math.min(...idle) - Date.now())
    if (pending.size === 0 && looks.size === 0) whenSettled.splice(0).forEach((resolve) => resolve())
  }

  async function lookAndGoOn(object: string, entries: readonly Entry[]): Promise<void> {
    const [first, ...others] = entries
    try {
      if (first) await look([first, ...others], { store, service, judgement })
    } catch (error) {
      onError(error)
      store.postpone(entries, Date.now() + AFTER_ERROR_MS)
    } finally {
      looks.delete(object)
      wake()
    }
  }

  wake()
  return {
    accept(notice) {
      store.put(notice, Date.now())
      // Not before the answer is on its way.
      setImmediate(wake)
    },
    effectsOf: (type, id) => store.effectsOf(type, id),
    settled: () =>
      new Promise((resolve) => {
        whenSettled.push(resolve)
        wake()
      }),
    async close() {
      isClosed = true
      clearTimeout(waiting)
      await Promise.all(looks.values())
      store.close()
    },
  }
}

function dueAt(entries: readonly Entry[]): number {
  return Math.min(...entries.map((entry) => entry.dueAt))
}
