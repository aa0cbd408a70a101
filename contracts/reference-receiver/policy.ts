import { isDue, parseKnownObject, canReplace, type KnownObject } from './known-object.ts'
import { interpretBody, type BodyMeaning } from './notification.ts'
import type { Route } from './notification.ts'
import { objectPath, type ShowResult } from './service-client.ts'
import type { Entry } from './rows.ts'
import { isSigned, type SignedRequest } from './signature.ts'

/** Every decision of a receiver by its name. */
export interface Policy {
  /** Whether a webhook was signed with one of these. */
  isSigned(request: SignedRequest, secrets: readonly string[]): boolean
  /** What a body means that came to this route. */
  interpretBody(body: unknown, route: Route): BodyMeaning
  /** What to ask the service about an object; undefined if it cannot be asked. */
  objectPath(entries: ObjectEntries): string | undefined
  /** What the service's answer says of the object that the entries are about; undefined if nothing. */
  parseKnownObject(shown: unknown, entries: ObjectEntries): KnownObject | undefined
  canReplace(before: KnownObject | undefined, now: KnownObject): boolean
  /** Whether its consequence is to be carried out, if that has not been done. */
  isDue(now: KnownObject, entries: ObjectEntries): boolean
  /** What its consequence is kept under. */
  effectKey(now: KnownObject, entries: ObjectEntries): string
  /** Milliseconds to wait until the service is asked again; undefined to give up. */
  retryDelay(shown: Exclude<ShowResult, { kind: 'shown' }>, attempts: number): number | undefined
}

/** What has arrived about one object and has not been processed; oldest first, at least one. */
export type ObjectEntries = readonly [Entry, ...Entry[]]

/** An object that the service does not know yet may have been notified a moment too early; not for longer. */
const MISSING_ATTEMPTS = 4
const FIRST_DELAY_MS = 50
const LONGEST_DELAY_MS = 60_000

export const carefulPolicy: Policy = {
  isSigned,
  interpretBody: (body, { type }) => interpretBody(body, type),
  objectPath: ([{ type, id }]) => objectPath(type, id),
  parseKnownObject: (shown, [{ type, id }]) => parseKnownObject(shown, type, id),
  canReplace,
  isDue: (now) => isDue(now),
  effectKey: ({ type, id }) => `${type} ${id}`,
  retryDelay(shown, attempts) {
    if (shown.kind === 'missing' && attempts + 1 >= MISSING_ATTEMPTS) return undefined
    const delay = Math.min(FIRST_DELAY_MS * 2 ** attempts, LONGEST_DELAY_MS)
    return shown.kind === 'unavailable' ? Math.max(delay, shown.retryAfterMs) : delay
  },
}
