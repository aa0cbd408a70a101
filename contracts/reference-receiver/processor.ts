import type { Notification } from './notification.ts'
import { carefulPolicy, type ObjectEntries, type Policy } from './policy.ts'
import type { Entry } from './rows.ts'
import type { ServiceClient } from './service-client.ts'
import type { Conclusion, Effects, Store } from './store.ts'

/**
 * What a receiver does behind its endpoint, whatever HTTP framework that is made of: it keeps what arrives, asks the service
 * what is true, and acts once. Hand it each notification, and answer 2xx when `accept` has returned.
 */
export interface Processor {
  /** Durable when it returns. Throws if it cannot be kept: then answer 5xx, and the service sends it again. */
  accept(notification: Notification): void
  readEffects(type: string, id: string): Effects
  /** Resolves when everything that was accepted has been processed. */
  untilIdle(): Promise<void>
  /** What is not processed stays in the store for the next start. */
  close(): Promise<void>
}

export interface ProcessorOptions {
  readonly store: Store
  readonly service: ServiceClient
  readonly policy?: Policy
  /** Epoch milliseconds; the time of the machine if left out. */
  readonly clock?: (() => number) | undefined
  readonly onError: (error: unknown) => void
}

/** So many objects are asked for at the same time; one that hangs keeps no other waiting. */
const AT_ONCE = 64
/** After a mistake of this code, an object is tried again after so long. */
const AFTER_ERROR_MS = 60_000

/** Goes on with what the store still holds from before. */
export function openProcessor(options: ProcessorOptions): Processor {
  const { store, service, policy = carefulPolicy, clock = Date.now, onError } = options
  /** By object: two calls about the same one could end in the wrong order. */
  const running = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const whenIdle: (() => void)[] = []

  function startDue(): void {
    if (isClosed) return
    clearTimeout(timer)
    const pending = Map.groupBy(store.entries(), ({ type, id }) => `${type} ${id}`)
    for (const [object, entries] of pending) {
      if (running.size < AT_ONCE && !running.has(object) && firstDueAt(entries) <= clock())
        running.set(object, processObject(object, entries))
    }
    const waiting = [...pending].filter(([object]) => !running.has(object)).flatMap(([, entries]) => entries)
    if (waiting.length > 0 && running.size < AT_ONCE)
      timer = setTimeout(startDue, Math.max(0, firstDueAt(waiting) - clock()))
    if (pending.size === 0 && running.size === 0) whenIdle.splice(0).forEach((resolve) => resolve())
  }

  function processObject(object: string, entries: readonly Entry[]): Promise<void> {
    const postpone = (error: unknown) => {
      onError(error)
      store.postpone(entries, clock() + AFTER_ERROR_MS)
    }
    const goOn = () => {
      running.delete(object)
      startDue()
    }
    return processEntries(entries, { store, service, policy, clock }).catch(postpone).finally(goOn)
  }

  startDue()
  return {
    accept(notification) {
      store.put(notification, clock())
      // Not before the answer is on its way.
      setImmediate(startDue)
    },
    readEffects: (type, id) => store.readEffects(type, id),
    untilIdle: () =>
      new Promise((resolve) => {
        whenIdle.push(resolve)
        startDue()
      }),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all(running.values())
      store.close()
    },
  }
}

function firstDueAt(entries: readonly Entry[]): number {
  return Math.min(...entries.map(({ dueAt }) => dueAt))
}

interface Parts extends Pick<Required<ProcessorOptions>, 'store' | 'service' | 'policy'> {
  readonly clock: () => number
}

/** Asks the service about the object that all these entries are about, and keeps what follows from its answer. */
async function processEntries(
  [first, ...others]: readonly Entry[],
  { store, service, policy, clock }: Parts,
): Promise<void> {
  if (!first) return
  const entries: ObjectEntries = [first, ...others]
  const path = policy.objectPath(entries)
  if (path === undefined) return store.drop(entries)
  const result = await service.show(path)
  if (result.kind === 'shown') return store.settle(entries, conclude(result.body))
  const attempts = Math.max(...entries.map((entry) => entry.attempts))
  const delayMs = policy.retryDelay(result, attempts)
  return delayMs === undefined ? store.drop(entries) : store.postpone(entries, clock() + delayMs)

  function conclude(body: unknown): Conclusion {
    const now = policy.parseKnownObject(body, entries)
    const before = now && store.known(now.type, now.id)
    if (!now || !policy.canReplace(before, now)) return { believed: undefined, key: undefined }
    return { believed: now, key: policy.isDue(now, entries) ? policy.effectKey(now, entries) : undefined }
  }
}
