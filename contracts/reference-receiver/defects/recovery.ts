import { careful } from '../judgement.ts'
import { objectIn } from '../notice.ts'
import type { Store } from '../store.ts'
import { judging, type Defect, withToldState } from './defect.ts'

const HOUR_MS = 3_600_000
const IN_SERVICE_SINCE = Date.now() - HOUR_MS
/** Long enough that nobody who ends it at once finds anything kept. */
const LATER_MS = 250

export const recoveryDefects: readonly Defect[] = [
  {
    name: 'starts-afresh',
    about: 'What it knew before it was started gives way to whatever it is told.',
    check: 'recovery/down-for-the-whole-ladder',
    parts() {
      const learned = new Set<string>()
      let known: Store['known'] | undefined
      return {
        store(store) {
          known = store.known
          return store
        },
        ...judging({
          mayReplace: (before, now) => careful.mayReplace(before, now) || !learned.has(now.id),
          knownFrom(shown, entries) {
            const now = careful.knownFrom(shown, entries)
            if (!now || learned.has(now.id)) return now
            if (known?.(now.type, now.id)) return withToldState(now, entries)
            learned.add(now.id)
            return now
          },
        }),
      }
    },
  },
  {
    name: 'refuses-what-is-older-than-itself',
    about: 'It refuses what changed before it went into service.',
    check: 'recovery/old-timestamps',
    parts: () =>
      judging({
        meaningOf: (body, place) =>
          isOld({ ...objectIn(body, place.type) }) ? { kind: 'foreign' } : careful.meaningOf(body, place),
      }),
  },
  {
    name: 'keeps-its-inbox-in-memory',
    about: 'It answers first and keeps later.',
    check: 'recovery/kill-after-answer',
    alsoFails: ['recovery/down-for-the-whole-ladder', 'recovery/old-timestamps'],
    parts: () => ({
      store: (store) => ({
        ...store,
        put: (notice, now) => void setTimeout(() => store.put(notice, now), LATER_MS),
      }),
    }),
  },
]

function isOld({ updated_at, updatedAt = updated_at }: Readonly<Record<string, unknown>>): boolean {
  return typeof updatedAt === 'string' && Date.parse(updatedAt) < IN_SERVICE_SINCE
}
