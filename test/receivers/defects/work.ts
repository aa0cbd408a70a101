import type { Entry, Store } from '../../../contracts/reference-receiver/starter/store.mjs'
import type { Components } from '../receiver.ts'
import type { Defect } from './defect.ts'

/** The delay of the work in milliseconds. A process that is killed immediately has not yet started the work. */
const LATER_MS = 1_500

/** Defects of receivers that lose their work when they are stopped. */
export const workDefects: readonly Defect[] = [
  {
    name: 'takes-work-off-before-it-is-done',
    about: 'It removes a notification from its inbox before it has acted.',
    check: 'recovery/kill-at-work',
    parts: takingOff,
  },
  {
    name: 'tries-again-from-memory',
    about: 'It keeps failed work only in memory until the retry.',
    check: 'recovery/kill-at-work',
    parts: () => ({
      store(store) {
        const memory = createMemory(store)
        return {
          ...memory.store,
          postpone: (entries, dueAt) =>
            memory.hold(entries.map((entry) => ({ ...entry, attempts: entry.attempts + 1, dueAt }))),
        }
      },
    }),
  },
]

function takingOff(): Partial<Components> {
  let hold: ((isMeant: (entry: Entry) => boolean) => void) | undefined
  return {
    store(store) {
      const memory = createMemory(store)
      hold = (isMeant) => memory.hold(store.entries().filter(isMeant))
      return { ...memory.store, put: (notification, now) => store.put(notification, now + LATER_MS) }
    },
    service: (service) => ({
      show(path) {
        hold?.(({ dueAt }) => dueAt <= Date.now())
        return service.show(path)
      },
    }),
  }
}

/** Returns a store that keeps some entries only in memory. */
function createMemory(store: Store) {
  const held = new Map<number, Entry>()
  const release = (entries: readonly Entry[]) => entries.forEach(({ number }) => held.delete(number))
  const isHeld = ({ number }: Entry) => held.has(number)
  function hold(entries: readonly Entry[]): void {
    for (const entry of entries) held.set(entry.number, entry)
    store.drop(entries)
  }
  const withMemory: Store = {
    ...store,
    entries: () => [...held.values(), ...store.entries()],
    postpone(entries, dueAt) {
      for (const entry of entries.filter(isHeld))
        held.set(entry.number, { ...entry, attempts: entry.attempts + 1, dueAt })
      store.postpone(
        entries.filter((entry) => !isHeld(entry)),
        dueAt,
      )
    },
    drop(entries) {
      release(entries)
      store.drop(entries)
    },
    settle(entries, conclusion) {
      release(entries)
      store.settle(entries, conclusion)
    },
  }
  return { store: withMemory, hold }
}
