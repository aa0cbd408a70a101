import { policy as carefulPolicy } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import type {
  Entry,
  KnownObject,
  Notification,
  Store,
} from '../../../contracts/reference-receiver/starter/store.mjs'
import { objectInEntry, textOf, withPolicy, type Defect } from './defect.ts'

/** The number of copies that trigger the race. A sender that waits for each response does not reach this number. */
const MANY = 7

/** The other checks that a platform fails if it acts on each delivery. */
export const ACTING_AGAIN = {
  idempotency:
    'same-delivery-at-once both-generations aborted-and-retried failed-then-retried late-repetition',
  order: 'any-sequence',
  recovery: 'missed-notifications',
  trust: 'virtual-account-status',
}

export const idempotencyDefects: readonly Defect[] = [
  {
    name: 'acts-on-each-delivery',
    about: 'It acts on every notification of a success.',
    check: 'idempotency/same-delivery-again',
    alsoFails: ACTING_AGAIN,
    parts: () => ({ store: actingOnEach((entry) => (isEarly(entry) ? undefined : String(entry.number))) }),
  },
  {
    name: 'knows-payments-by-payer-and-amount',
    about: 'It treats a second transaction of the same person, kind and amount as a duplicate.',
    check: 'idempotency/same-payer-same-amount',
    // All example bodies are about one person, so this defect also fails `body/payin-details`.
    alsoFails: { body: 'payin-details' },
    mayFail: ['body/null-links'],
    parts: () =>
      withPolicy({
        effectKey: ({ type, id, kind, userId, amount }) =>
          type === 'transactions' ? `${kind} ${userId} ${amount}` : `${type} ${id}`,
      }),
  },
  {
    name: 'looks-before-it-acts',
    about: 'It acts twice when two copies arrive at the same time.',
    check: 'idempotency/same-delivery-at-once',
    parts() {
      const copies = new Map<string, number>()
      const isRace = (body: string) => (copies.get(body) ?? 0) >= MANY
      return {
        store: (store) => ({
          ...actingOnEach(({ body, number }) => (isRace(body) ? String(number) : ''))(store),
          put(notification, now) {
            copies.set(notification.body, (copies.get(notification.body) ?? 0) + 1)
            store.put(notification, now)
          },
        }),
      }
    },
  },
  {
    name: 'has-a-memory-for-each-generation',
    about: 'It acts on the callback and on the webhook about the same change.',
    check: 'idempotency/both-generations',
    parts: () => ({ store: actingOnEach(({ generation }) => generation) }),
  },
  {
    name: 'works-on-when-the-sender-hangs-up',
    about: 'It acts on an aborted delivery, and forgets this action.',
    check: 'idempotency/aborted-and-retried',
    alsoFails: { trust: 'slow-show' },
    parts() {
      const lost = new Set<string>()
      const atWork = createWork()
      return {
        store: (store) =>
          atWork.over(actingOnEach(({ body, number }) => (lost.has(body) ? String(number) : ''))(store)),
        endpoint:
          (endpoint, { answered }) =>
          async (request) => {
            const text = textOf(request)
            const note = (isAnswered: boolean) => void (!isAnswered && lost.add(text))
            answered(request)
              .then(note)
              .catch(() => {})
            const answer = await endpoint(request)
            await atWork.done(text)
            return answer
          },
      }
    },
  },
  {
    name: 'notes-before-its-work-is-done',
    about: 'It ignores the retry of a delivery that it could not process because the service failed.',
    check: 'idempotency/failed-then-retried',
    alsoFails: { trust: 'failing-show failing-for-a-while expired-token-and-rate-limit' },
    parts: () => ({
      ...withPolicy({ retryDelay: () => undefined }),
      store: ignoringRepeats(({ body }) => body),
    }),
  },
  {
    name: 'knows-deliveries-by-the-id',
    about: 'It treats every later notification of an object as a duplicate.',
    check: 'idempotency/next-state-soon-after',
    alsoFails: {
      order:
        'documented-order late-retry-of-early-state failure-branches change-after-final interleaved-payments any-sequence twin-notifications',
    },
    parts: () => ({ store: ignoringRepeats(({ type, id }) => `${type} ${id}`) }),
  },
  {
    name: 'acts-on-each-change',
    about: 'It ships a completed item again after each change.',
    check: 'idempotency/other-field-changed',
    parts() {
      const first = new Map<string, number | null>()
      const isChanged = ({ type, id, state, updatedAt }: KnownObject) => {
        if (type !== 'items' || state !== 'completed') return false
        if (!first.has(id)) first.set(id, updatedAt)
        return first.get(id) !== updatedAt
      }
      return withPolicy({
        isDue: (now, entries) => carefulPolicy.isDue(now, entries) || isChanged(now),
        effectKey(now, entries) {
          const key = carefulPolicy.effectKey(now, entries)
          return now.type === 'items' ? `${key} ${now.updatedAt}` : key
        },
      })
    },
  },
]

/** Wraps a store. `done` resolves when the entry with the given body is settled, postponed or dropped. */
function createWork() {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  function end(entries: readonly Entry[]): void {
    for (const { body } of entries) {
      waiting.get(body)?.resolve()
      waiting.delete(body)
    }
  }
  return {
    done: (body: string) => waiting.get(body)?.promise,
    over: (store: Store): Store => ({
      ...store,
      put(notification, now) {
        store.put(notification, now)
        if (!waiting.has(notification.body)) waiting.set(notification.body, Promise.withResolvers())
      },
      settle(entries, conclusion) {
        store.settle(entries, conclusion)
        end(entries)
      },
      postpone(entries, dueAt) {
        store.postpone(entries, dueAt)
        end(entries)
      },
      drop(entries) {
        store.drop(entries)
        end(entries)
      },
    }),
  }
}

/** Wraps a store, so that it stores only the first notification with each key. `nameFor` returns the key of a notification. */
function ignoringRepeats(nameFor: (notification: Notification) => string) {
  const seen = new Set<string>()
  return (store: Store): Store => ({
    ...store,
    put(notification, now) {
      if (seen.has(nameFor(notification))) return
      seen.add(nameFor(notification))
      store.put(notification, now)
    },
  })
}

/** Returns true if the notified state is not `successful`. A notification without a state counts as successful. */
export function isEarly(entry: Entry): boolean {
  const { state = 'successful' } = objectInEntry(entry)
  return state !== 'successful'
}

/** Wraps a store so that each notification with a name causes its own effect. `nameFor` returns an entry's name or undefined. */
export function actingOnEach(nameFor: (entry: Entry) => string | undefined) {
  return (store: Store): Store => ({
    ...store,
    settle(entries, { believed, key }) {
      for (const entry of entries) {
        const name = nameFor(entry)
        store.settle([entry], {
          believed,
          key: key === undefined || name === undefined ? undefined : `${key} ${name}`,
        })
      }
    },
  })
}
