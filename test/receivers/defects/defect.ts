import {
  decodeText,
  policy as carefulPolicy,
  type ObjectEntries,
  type Policy,
} from '../../../contracts/reference-receiver/starter/receiver.mjs'
import { findObject, isNotifiedType } from '../../../contracts/reference-receiver/starter/service.mjs'
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
  /** The names of other checks that fail, by topic and separated by spaces. */
  readonly alsoFails?: Readonly<Record<string, string>>
  /** Checks whose result depends on a race or on the machine's load. */
  readonly mayFail?: readonly string[] | 'whatever sees effects'
  /** Creates the parts that differ from a careful receiver. `clock` is the receiver's clock. */
  readonly parts?: (clock: () => number) => Partial<Components>
  readonly options?: Partial<ReceiverOptions>
  /** True if the defect needs a receiver program that can be stopped. */
  readonly isProgram?: true
  /** True if the defect needs signed webhooks. */
  readonly isSigned?: true
  /** The readings under which the defect is visible. */
  readonly readings?: Readonly<Record<string, string>>
  /** The defect of the receiver's certificate. */
  readonly certificate?:
    'self-signed' | 'untrusted' | 'for-another-name' | 'expires-soon' | 'without-intermediate'
}

/** Returns the ids of other checks that fail. */
export function otherFailures({ alsoFails = {} }: Defect): readonly string[] {
  return Object.entries(alsoFails).flatMap(([topic, names]) =>
    names.split(' ').map((name) => `${topic}/${name}`),
  )
}

/** Returns the parts of a receiver with a changed policy. */
export function withPolicy(changes: Partial<Policy>): Partial<Components> {
  return { policy: { ...carefulPolicy, ...changes } }
}

/** Creates a receiver that answers matching objects of a type, or of any type, with the status. */
export function breakingOn(
  type: NotifiedType | undefined,
  breaks: (object: Readonly<Record<string, unknown>>) => boolean,
  status = 500,
): Partial<Components> {
  return {
    endpoint: (endpoint) => (request) => {
      const route = request.path.split('/')[2]
      const isMeant = request.method === 'POST' && (type === undefined || route === type)
      const body = parseJsonOr(undefined, (request.body && decodeText(request.body)) ?? '')
      const object = route !== undefined && isNotifiedType(route) ? findObject(body, route) : undefined
      return isMeant && object && breaks({ ...object }) ? { status } : endpoint(request)
    },
  }
}

/** Creates a receiver that fails on matching bodies. */
export function breakingOnText(breaks: (text: string) => boolean): Partial<Components> {
  return {
    endpoint: (endpoint) => (request) => {
      const text = request.body && decodeText(request.body)
      return text !== undefined && breaks(text) ? { status: 500 } : endpoint(request)
    },
  }
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

/** Returns the object in the state of the last entry. */
export function withNotifiedState(
  known: KnownObject | undefined,
  entries: ObjectEntries,
): KnownObject | undefined {
  const { state } = objectInEntry(entries.at(-1) ?? entries[0])
  return known && typeof state === 'string' ? { ...known, state } : known
}
