import { policy as carefulPolicy } from '../../../contracts/reference-receiver/starter/receiver.mjs'
import type { KnownObject } from '../../../contracts/reference-receiver/starter/store.mjs'
import { randomUUID } from 'node:crypto'
import { withPolicy, type Defect } from './defect.ts'

const SHORT_MS = 3_000
const DAY_MS = 86_400_000

/** Defects of receivers that remember their effects only for a limited time. */
export const expiryDefects: readonly Defect[] = [
  {
    name: 'forgets-at-a-restart',
    about: 'It keeps its actions only in memory.',
    check: 'idempotency/again-after-restart',
    alsoFails: { idempotency: 'late-repetition' },
    parts() {
      const start = randomUUID()
      return withPolicy({
        effectKey: (now, entries) => `${carefulPolicy.effectKey(now, entries)} ${start}`,
      })
    },
  },
  {
    name: 'forgets-after-seconds',
    about: 'It keeps its actions in a cache whose entries expire after three seconds without a read.',
    check: 'idempotency/late-repetition',
    mayFail: 'whatever sees effects',
    parts: (clock) => withPolicy({ effectKey: forgetfulKeys(clock) }),
  },
  {
    name: 'forgets-after-a-day',
    about: 'It keeps its actions for a day by its clock.',
    check: 'idempotency/late-repetition',
    isProgram: true,
    parts: (clock) =>
      withPolicy({
        effectKey(now, entries) {
          const days = Math.floor((clock() - (now.updatedAt ?? clock())) / DAY_MS)
          return `${carefulPolicy.effectKey(now, entries)} ${Math.max(0, days)}`
        },
      }),
  },
]

/** Returns a function that computes effect keys. After a key has expired, the function returns a new key. */
function forgetfulKeys(clock: () => number): typeof carefulPolicy.effectKey {
  const lastAskedAt = new Map<string, number>()
  const timesForgotten = new Map<string, number>()
  return (now: KnownObject, entries) => {
    const key = carefulPolicy.effectKey(now, entries)
    const isForgotten = clock() - (lastAskedAt.get(key) ?? clock()) >= SHORT_MS
    lastAskedAt.set(key, clock())
    if (isForgotten) timesForgotten.set(key, (timesForgotten.get(key) ?? 0) + 1)
    return `${key} ${timesForgotten.get(key) ?? 0}`
  }
}
