import { policy as carefulPolicy } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { findObject } from '../../../contracts/reference-receiver/starter/service.mjs'
import type { Entry, Store } from '../../../contracts/reference-receiver/starter/store.mjs'
import type { Components } from '../receiver.ts'
import { changingKnown, withNotifiedState, withPolicy, type Defect } from './defect.ts'

const HOUR_MS = 3_600_000
const IN_SERVICE_SINCE = Date.now() - HOUR_MS
/** The delay in milliseconds before the receiver does its work. A process that is killed before this delay has done no work. */
const LATER_MS = 1_500

export const recoveryDefects: readonly Defect[] = [
  {
    name: 'starts-afresh',
    about: 'After a start, it overwrites earlier records with any notification.',
    check: 'recovery/resent-after-outage',
    parts() {
      const learned = new Set<string>()
      let known: Store['known'] | undefined
      return {
        store(store) {
          known = store.known
          return store
        },
        ...withPolicy({
          canReplace: (before, now) => carefulPolicy.canReplace(before, now) || !learned.has(now.id),
          parseKnownObject: changingKnown((now, entries) => {
            if (learned.has(now.id)) return now
            if (known?.(now.type, now.id)) return withNotifiedState(now, entries)
            learned.add(now.id)
            return now
          }),
        }),
      }
    },
  },
  {
    name: 'refuses-what-is-older-than-itself',
    about: 'It rejects objects that changed before it started.',
    check: 'recovery/old-timestamps',
    alsoFails: {
      body: 'flat-virtual-accounts',
      http: 'accepts-golden-bodies',
      order: 'late-retry-of-early-state',
    },
    parts: () =>
      withPolicy({
        interpretBody: (body, route) =>
          isOld({ ...findObject(body, route.type) })
            ? { kind: 'foreign' }
            : carefulPolicy.interpretBody(body, route),
      }),
  },
  {
    name: 'keeps-its-inbox-in-memory',
    about: 'It keeps accepted notifications only in memory until it has acted.',
    check: 'recovery/kill-after-answer',
    alsoFails: { recovery: 'kill-at-work' },
    parts: () => ({ store: inMemory }),
  },
  {
    name: 'never-looks-for-what-it-missed',
    about: 'It does not look for missed notifications.',
    check: 'recovery/missed-notifications',
    parts: () => ({ missed: () => () => Promise.resolve([]) }),
  },
  {
    name: 'looks-at-one-page-of-failed-jobs',
    about: 'It reads only the first page of the failed jobs.',
    check: 'recovery/missed-notifications',
    parts: () => ({
      service: (service) => ({
        show: (path) => service.show(path.replace('status=failed&limit=200', 'status=failed')),
      }),
    }),
  },
  {
    name: 'acts-on-each-failed-job',
    about: 'It acts again on each failed job.',
    check: 'recovery/missed-notifications',
    parts: bookingAnew,
  },
]

/** Returns receiver components that act again for each failed job. */
function bookingAnew(): Partial<Components> {
  let count = 0
  return {
    missed: (list) => async () =>
      (await list()).map((notification) => ({ ...notification, body: `${notification.body}\n${++count}` })),
    ...withPolicy({
      effectKey(now, entries) {
        const [, anew = ''] = entries[0].body.split('\n')
        return `${carefulPolicy.effectKey(now, entries)} ${anew}`.trimEnd()
      },
    }),
  }
}

/** Returns a store whose inbox is lost when the process ends. */
function inMemory(store: Store): Store {
  const inbox = new Map<number, Entry>()
  let count = 0
  const take = (entries: readonly Entry[]) => entries.forEach(({ number }) => inbox.delete(number))
  return {
    ...store,
    put(notification, now) {
      const number = ++count
      inbox.set(number, { ...notification, number, attempts: 0, dueAt: now + LATER_MS })
    },
    entries: () => [...inbox.values()],
    postpone(entries, dueAt) {
      for (const entry of entries) inbox.set(entry.number, { ...entry, attempts: entry.attempts + 1, dueAt })
    },
    drop: take,
    settle(entries, conclusion) {
      take(entries)
      store.settle([], conclusion)
    },
  }
}

function isOld({ updated_at, updatedAt = updated_at }: Readonly<Record<string, unknown>>): boolean {
  return typeof updatedAt === 'string' && Date.parse(updatedAt) < IN_SERVICE_SINCE
}
