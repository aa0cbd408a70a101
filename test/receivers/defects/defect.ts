import {
  decodeText,
  policy as carefulPolicy,
  type IncomingRequest,
  type ObjectEntries,
  type Policy,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import {
  findObject,
  isNotifiedType,
  type BodyMeaning,
} from '../../../contracts/reference-receiver/starter/service.mjs'
import type { KnownObject, Notification } from '../../../contracts/reference-receiver/starter/store.mjs'
import type { NotifiedType } from '../../../spec/types.ts'
import type { Components, ReceiverOptions } from '../receiver.ts'

/** A defect of a receiver, and the checks that detect it. */
export interface Defect {
  /** The name, which is public and never reused. */
  readonly name: string
  /** One sentence that describes a receiver with this defect. */
  readonly about: string
  /** The id of the check that must detect the defect. */
  readonly check: string
  /** The names of the other checks that fail, separated by spaces, by topic. */
  readonly alsoFails?: Readonly<Record<string, string>>
  /** Checks whose result depends on a race or on the machine's load. */
  readonly mayFail?: readonly string[] | 'whatever sees effects'
  /** Creates the components that replace the careful receiver's. `clock` is the receiver's clock. */
  readonly parts?: (clock: () => number) => Partial<Components>
  readonly options?: Partial<ReceiverOptions>
  /** True if the defect needs a receiver program that can be stopped. */
  readonly isProgram?: true
  /** True if the defect needs signed webhooks. */
  readonly isSigned?: true
  /** The readings under which the defect is visible. */
  readonly readings?: Readonly<Record<string, string>>
  /** The defect in the receiver's certificate. */
  readonly certificate?:
    'self-signed' | 'untrusted' | 'for-another-name' | 'expires-soon' | 'without-intermediate'
}

/** Returns the ids of other checks that detect the defect. */
export function otherFailures({ alsoFails = {} }: Defect): readonly string[] {
  return Object.entries(alsoFails).flatMap(([topic, names]) =>
    names.split(' ').map((name) => `${topic}/${name}`),
  )
}

/** Returns receiver components with a changed policy. */
export function withPolicy(changes: Partial<Policy>): Partial<Components> {
  return { policy: { ...carefulPolicy, ...changes } }
}

/** Returns receiver components that change the interpretation of a body. */
export function interpreting(change: (meaning: BodyMeaning, body: unknown) => BodyMeaning) {
  return withPolicy({
    interpretBody: (body, route) => change(carefulPolicy.interpretBody(body, route), body),
  })
}

/** Returns a parser that modifies the object from the service's Show response. */
export function changingKnown(
  change: (known: KnownObject, entries: ObjectEntries) => KnownObject | undefined,
): Policy['parseKnownObject'] {
  return (shown, entries) => {
    const known = carefulPolicy.parseKnownObject(shown, entries)
    return known && change(known, entries)
  }
}

/** Returns receiver components that also act if `acts` returns true for the object. */
export function alsoActing(acts: (now: KnownObject) => boolean) {
  return withPolicy({ isDue: (now, entries) => carefulPolicy.isDue(now, entries) || acts(now) })
}

/** Returns receiver components that apply `change` to an object before they decide whether to act. */
export function actingAs(change: (now: KnownObject) => KnownObject) {
  return withPolicy({ isDue: (now, entries) => carefulPolicy.isDue(change(now), entries) })
}

type Unshown = Parameters<Policy['retryDelay']>[0]

/**
 * Returns receiver components that call the service again after `delayMs` if `isMeant` returns true. Without a delay, the
 * components never call again.
 */
export function retryingAfter(
  delayMs: number | undefined,
  isMeant: (shown: Unshown, attempts: number) => boolean,
) {
  return withPolicy({
    retryDelay: (shown, attempts) =>
      isMeant(shown, attempts) ? delayMs : carefulPolicy.retryDelay(shown, attempts),
  })
}

/** Returns receiver components that respond with `status` if `isMeant` returns true. */
export function answeringWith(
  status: number,
  isMeant: (request: IncomingRequest) => boolean,
): Pick<Components, 'endpoint'> {
  return { endpoint: (endpoint) => (request) => (isMeant(request) ? { status } : endpoint(request)) }
}

/** Returns receiver components that apply `change` to a request before they handle the request. */
export function readingAs(
  change: (request: IncomingRequest) => IncomingRequest,
): Pick<Components, 'endpoint'> {
  return { endpoint: (endpoint) => (request) => endpoint(change(request)) }
}

/** Creates a receiver that responds with `status` to matching objects of a type. Without a type, all types match. */
export function breakingOn(
  type: NotifiedType | undefined,
  breaks: (object: Readonly<Record<string, unknown>>) => boolean,
  status = 500,
): Partial<Components> {
  return answeringWith(status, (request) => {
    const route = request.path.split('/')[2]
    if (request.method !== 'POST' || (type !== undefined && route !== type)) return false
    const object =
      route !== undefined && isNotifiedType(route) ? findObject(parseBody(request), route) : undefined
    return object !== undefined && breaks({ ...object })
  })
}

/** Returns the text of a request body. Returns an empty text if the body is missing or not UTF-8. */
export function textOf({ body }: IncomingRequest): string {
  return (body && decodeText(body)) ?? ''
}

/** Parses the body of a request. Returns undefined if the body is not JSON. */
export function parseBody(request: IncomingRequest): unknown {
  return parseJsonOr(undefined, textOf(request))
}

/** Returns the object in the body of a stored notification. */
export function objectInEntry({
  body,
  type,
}: Pick<Notification, 'body' | 'type'>): Readonly<Record<string, unknown>> {
  return { ...findObject(parseJsonOr({}, body), type) }
}

/** Parses JSON. Returns `otherwise` for invalid JSON. */
export function parseJsonOr(otherwise: unknown, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

/** Replaces the state of the known object with the state from the last notification. */
export function withNotifiedState(
  known: KnownObject | undefined,
  entries: ObjectEntries,
): KnownObject | undefined {
  const { state } = objectInEntry(entries.at(-1) ?? entries[0])
  return known && typeof state === 'string' ? { ...known, state } : known
}
