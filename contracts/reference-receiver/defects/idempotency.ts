import { setTimeout as pause } from 'node:timers/promises'
import { textOf } from '../door.ts'
import { careful, type Entries } from '../judgement.ts'
import type { Notice } from '../notice.ts'
import type { Store } from '../store.ts'
import { judging, objectOf, type Defect } from './defect.ts'
import type { Entry } from '../rows.ts'

/** More copies at a time than any sender sends but all at once. */
const MANY = 7
/** Room enough for a second delivery. */
const LOOK_MS = 100
/** Longer than a sender waits that hangs up. */
const WORK_MS = 250

export const idempotencyDefects: readonly Defect[] = [
  {
    name: 'acts-on-each-delivery',
    about: 'It acts whenever it is told of a success.',
    check: 'idempotency/same-delivery-again',
    alsoFails: [
      'idempotency/same-delivery-at-once',
      'idempotency/both-generations',
      'idempotency/aborted-and-retried',
      'idempotency/failed-then-retried',
      'order/any-sequence',
      'trust/virtual-account-status',
    ],
    parts: () => ({ store: actingOnEach((entry) => (isEarly(entry) ? undefined : String(entry.number))) }),
  },
  {
    name: 'looks-before-it-acts',
    about: 'Between looking whether it has acted and acting there is room for a second delivery.',
    check: 'idempotency/same-delivery-at-once',
    parts: () => ({
      service: (service) => ({
        async show(path) {
          await pause(LOOK_MS)
          return service.show(path)
        },
      }),
      ...judging({
        keyOf(now, entries) {
          const key = careful.keyOf(now, entries)
          return isOften(entries) ? `${key} ${entries[0].number}` : key
        },
      }),
    }),
  },
  {
    name: 'has-a-memory-for-each-generation',
    about: 'It acts on a callback and on a webhook about the same.',
    check: 'idempotency/both-generations',
    parts: () =>
      judging({ keyOf: (now, entries) => `${careful.keyOf(now, entries)} ${entries[0].generation}` }),
  },
  {
    name: 'works-on-when-the-sender-hangs-up',
    about: 'It acts on a delivery that was hung up on, and forgets that it did.',
    check: 'idempotency/aborted-and-retried',
    parts() {
      const lost = new Set<string>()
      return {
        store: actingOnEach(({ body, number }) => (lost.has(body) ? String(number) : '')),
        door:
          (door, { core }) =>
          async (request) => {
            const text = request.body && textOf(request.body)
            const note = (isAnswered: boolean) => void (!isAnswered && text !== undefined && lost.add(text))
            request.answered.then(note).catch(() => {})
            const answer = await door(request)
            if (answer.status === 204) await Promise.race([core.settled(), pause(WORK_MS)])
            return answer
          },
      }
    },
  },
  {
    name: 'notes-before-its-work-is-done',
    about: 'It notes a delivery as seen, gives up when the service fails, and knows the retry already.',
    check: 'idempotency/failed-then-retried',
    alsoFails: ['trust/failing-show', 'trust/expired-token-and-rate-limit'],
    parts: () => ({
      ...judging({ delayAfter: () => undefined }),
      store: forgetful(({ body }) => body),
    }),
  },
  {
    name: 'knows-deliveries-by-the-id',
    about: 'It takes every notification of an object after the first for a repetition.',
    check: 'idempotency/next-state-soon-after',
    alsoFails: [
      'idempotency/same-delivery-again',
      'order/documented-order',
      'order/late-retry-of-early-state',
      'order/failure-branches',
      'order/change-after-final',
      'order/interleaved-payments',
      'order/any-sequence',
    ],
    parts: () => ({ store: forgetful(({ type, id }) => `${type} ${id}`) }),
  },
  {
    name: 'acts-on-each-change',
    about: 'It ships an item whenever it changes while it is paid.',
    check: 'idempotency/other-field-changed',
    parts: () =>
      judging({
        isDue: (now, entries) =>
          careful.isDue(now, entries) || (now.type === 'items' && now.state === 'payment_deposited'),
        keyOf(now, entries) {
          const key = careful.keyOf(now, entries)
          return now.type === 'items' ? `${key} ${entries[0].body}` : key
        },
      }),
  },
]

function isOften(entries: Entries): boolean {
  return entries.filter(({ body }) => body === entries[0].body).length >= MANY
}

/** Keeps only the first notice of each name. */
function forgetful(nameOf: (notice: Notice) => string) {
  const seen = new Set<string>()
  return (store: Store): Store => ({
    ...store,
    put(notice, now) {
      if (seen.has(nameOf(notice))) return
      seen.add(nameOf(notice))
      store.put(notice, now)
    },
  })
}

/** Told before the success, and looked at after it: that is one occasion with the success. */
function isEarly(entry: Entry): boolean {
  const { state = 'successful' } = objectOf(entry)
  return state !== 'successful'
}

/** Acts for each entry that gets a name, under it. */
function actingOnEach(nameOf: (entry: Entry) => string | undefined) {
  return (store: Store): Store => ({
    ...store,
    settle(entries, { believed, key }) {
      for (const entry of entries) {
        const name = nameOf(entry)
        store.settle([entry], {
          believed,
          key: key === undefined || name === undefined ? undefined : `${key} ${name}`,
        })
      }
    },
  })
}
