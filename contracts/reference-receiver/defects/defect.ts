import type { NotifiedType } from '../../../spec/types.ts'
import { textOf } from '../door.ts'
import type { Known } from '../decide.ts'
import { careful, type Entries, type Judgement } from '../judgement.ts'
import { isNotifiedType, type Notice, objectIn } from '../notice.ts'
import type { Parts, ReceiverOptions } from '../receiver.ts'

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
  /** What is done otherwise than by a careful receiver; made anew for each, for it may remember things. */
  readonly parts?: () => Partial<Parts>
  readonly options?: Partial<ReceiverOptions>
  /** What is wrong with the certificate that it is started with. */
  readonly certificate?:
    'self-signed' | 'untrusted' | 'for-another-name' | 'expires-soon' | 'without-intermediate'
}

/** A receiver that decides these things otherwise. */
export function judging(changes: Partial<Judgement>): Partial<Parts> {
  return { judgement: { ...careful, ...changes } }
}

/** A receiver whose code breaks on such objects of a type, or of any: it answers 500. */
export function breakingOn(
  type: NotifiedType | undefined,
  breaks: (object: Readonly<Record<string, unknown>>) => boolean,
): Partial<Parts> {
  return {
    door: (door) => (request) => {
      const place = request.path.split('/')[2]
      const isMeant = request.method === 'POST' && (type === undefined || place === type)
      const body = readOr(undefined, (request.body && textOf(request.body)) ?? '')
      const object = place !== undefined && isNotifiedType(place) ? objectIn(body, place) : undefined
      return isMeant && object && breaks({ ...object }) ? { status: 500 } : door(request)
    },
  }
}

/** A receiver whose code breaks on such bodies. */
export function breakingOnText(breaks: (text: string) => boolean): Partial<Parts> {
  return {
    door: (door) => (request) => {
      const text = request.body && textOf(request.body)
      return text !== undefined && breaks(text) ? { status: 500 } : door(request)
    },
  }
}

/** The object in a body that was accepted. */
export function objectOf({ body, type }: Pick<Notice, 'body' | 'type'>): Readonly<Record<string, unknown>> {
  return { ...objectIn(readOr({}, body), type) }
}

/** What a text says as JSON, or this if it is none. */
export function readOr(otherwise: unknown, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

/** The same, in the state that the last of these tells of. */
export function withToldState(known: Known | undefined, entries: Entries): Known | undefined {
  const { state } = objectOf(entries.at(-1) ?? entries[0])
  return known && typeof state === 'string' ? { ...known, state } : known
}
