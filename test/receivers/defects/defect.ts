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

/** One thing that a receiver does wrong, and how that is found out. */
export interface Defect {
  /** Public and never reused. */
  readonly name: string
  /** One sentence about the receiver that has it. */
  readonly about: string
  /** The check that it is made for. */
  readonly check: string
  /** Every other check that fails, too. */
  readonly alsoFails?: readonly string[]
  /** What finds it or does not, by which of two things comes first, or by how busy the machine is. */
  readonly mayFail?: readonly string[] | 'whatever sees effects'
  /** What is done otherwise than by a careful receiver; made anew for each, for it may remember things; with its clock. */
  readonly parts?: (clock: () => number) => Partial<Components>
  readonly options?: Partial<ReceiverOptions>
  /** It shows only where the receiver is a program that can be stopped. */
  readonly isProgram?: true
  /** It is seen only where webhooks are signed. */
  readonly isSigned?: true
  /** It is seen only under these readings. */
  readonly readings?: Readonly<Record<string, string>>
  /** What is wrong with the certificate that it is started with. */
  readonly certificate?:
    'self-signed' | 'untrusted' | 'for-another-name' | 'expires-soon' | 'without-intermediate'
}

/** A receiver that decides these things otherwise. */
export function withPolicy(changes: Partial<Policy>): Partial<Components> {
  return { policy: { ...carefulPolicy, ...changes } }
}

/** A receiver whose code breaks on such objects of a type, or of any: it answers 500, or as is said. */
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

/** A receiver whose code breaks on such bodies. */
export function breakingOnText(breaks: (text: string) => boolean): Partial<Components> {
  return {
    endpoint: (endpoint) => (request) => {
      const text = request.body && decodeText(request.body)
      return text !== undefined && breaks(text) ? { status: 500 } : endpoint(request)
    },
  }
}

/** The object in a body that was accepted. */
export function objectInEntry({
  body,
  type,
}: Pick<Notification, 'body' | 'type'>): Readonly<Record<string, unknown>> {
  return { ...findObject(parseJsonOr({}, body), type) }
}

/** What a text says as JSON, or this if it is none. */
export function parseJsonOr(otherwise: unknown, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

/** The same, in the state that the last of these names. */
export function withNotifiedState(
  known: KnownObject | undefined,
  entries: ObjectEntries,
): KnownObject | undefined {
  const { state } = objectInEntry(entries.at(-1) ?? entries[0])
  return known && typeof state === 'string' ? { ...known, state } : known
}
