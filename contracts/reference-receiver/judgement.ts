import { isDue, knownFrom, mayReplace, type Known } from './decide.ts'
import { meaningOf, type Meaning } from './notice.ts'
import type { Place } from './notice.ts'
import { pathOf, type Shown } from './service-client.ts'
import type { Entry } from './rows.ts'

/** Every decision of a receiver by its name. A receiver is as good as these. */
export interface Judgement {
  /** What a body means that came to this place. */
  meaningOf(body: unknown, place: Place): Meaning
  /** What to ask the service about an object; undefined if it cannot be asked. */
  pathOf(entries: Entries): string | undefined
  /** What the service's answer says of the object that the entries are about; undefined if nothing. */
  knownFrom(shown: unknown, entries: Entries): Known | undefined
  mayReplace(before: Known | undefined, now: Known): boolean
  /** Whether its consequence is to be carried out, if that has not been done. */
  isDue(now: Known, entries: Entries): boolean
  /** What its consequence is kept under. */
  keyOf(now: Known, entries: Entries): string
  /** Milliseconds to wait until the service is asked again; undefined to give up. */
  delayAfter(shown: Exclude<Shown, { kind: 'shown' }>, attempts: number): number | undefined
}

/** What has arrived about one object and is not dealt with; oldest first, at least one. */
export type Entries = readonly [Entry, ...Entry[]]

/** An object that the service does not know yet may have been notified a moment too early; not for longer. */
const MISSING_ATTEMPTS = 4
const FIRST_DELAY_MS = 50
const LONGEST_DELAY_MS = 60_000

export const careful: Judgement = {
  meaningOf: (body, { type }) => meaningOf(body, type),
  pathOf: ([{ type, id }]) => pathOf(type, id),
  knownFrom: (shown, [{ type, id }]) => knownFrom(shown, type, id),
  mayReplace,
  isDue: (now) => isDue(now),
  keyOf: ({ type, id }) => `${type} ${id}`,
  delayAfter(shown, attempts) {
    if (shown.kind === 'missing' && attempts + 1 >= MISSING_ATTEMPTS) return undefined
    const delay = Math.min(FIRST_DELAY_MS * 2 ** attempts, LONGEST_DELAY_MS)
    return shown.kind === 'unavailable' ? Math.max(delay, shown.retryAfterMs) : delay
  },
}
