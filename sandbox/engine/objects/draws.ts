import { createHash } from 'node:crypto'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { View } from '../state/view.ts'
import { formatUuid } from '../core/random.ts'
import { timestamp } from '../core/timestamp.ts'

export function uuidFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return formatUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}

export function drawDigits(count: number, newId: () => string): string {
  let digits = ''
  // Leaves out the first part of each id, because many ids begin alike.
  while (digits.length < count)
    for (const digit of newId().slice(9)) if (digit !== '-') digits += Number.parseInt(digit, 16) % 10
  return digits.slice(0, count)
}

/** Joins texts into one piece. JSON.stringify() formats the result faster than the result of `+` or of a template. */
export function joinText(...parts: readonly string[]): string {
  return parts.join('')
}

export function sixDigitsFor(text: string): number {
  let mixed = 7
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed, 31) + text.charCodeAt(at)
  return 100_000 + ((mixed >>> 0) % 900_000)
}

export interface EngineContext {
  readonly view: View
  /** Returns the current readings. Call this function for each decision, because a user can change the readings at any time. */
  readonly readings: () => ReadingValues
  readonly translator: Translator
  /** Returns the time for a change, at least a millisecond after the last change. Sandbox time in epoch milliseconds. */
  readonly now: () => number
  /** Returns the real time in milliseconds since the Unix epoch. The recording lag depends on the real time. */
  readonly realNow: () => number
  readonly newId: () => string
  readonly newNumber: () => number
}

/** Fields from a caller, which are not yet validated and can violate the schema. */
export type ObjectFields = Readonly<Record<string, unknown>>

export interface NewObjectDefaults {
  readonly id: string
  /** Returns an unused integer id for object types with integer ids. */
  readonly number: () => number
  /** The sandbox time, formatted as a timestamp for bodies. */
  readonly now: string
  readonly newId: () => string
}

export function newObjectDefaults(
  id: string,
  context: Pick<EngineContext, 'view' | 'now' | 'newId' | 'newNumber'>,
): NewObjectDefaults {
  const { now, newId, newNumber } = context
  // Draws one number for every object, so that the random sequence does not depend on the kinds of objects.
  const first = newNumber()
  return { id, number: () => findUnused(first, context), now: timestamp(now()), newId }
}

/** The maximum number of attempts to draw an unused number. All attempts fail only if nearly all numbers are used. */
const MAX_TRIES = 100

/** Returns an unused account number of seven digits. Shorter numbers would often collide. */
function findUnused(first: number, { view, newNumber }: Pick<EngineContext, 'view' | 'newNumber'>): number {
  const isTaken = (number: number) => view.storedId('accounts', String(number)) !== undefined
  let number = first
  for (let tries = 0; isTaken(number) && tries < MAX_TRIES; tries++) number = newNumber()
  return number
}
