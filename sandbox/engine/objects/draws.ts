import { createHash } from 'node:crypto'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { View } from '../state/view.ts'
import { timestamp } from '../core/timestamp.ts'

/** A UUID, of version 8, that follows from the text. */
export function uuidFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** As many digits as asked for, drawn from the source of the ids. */
export function drawDigits(count: number, newId: () => string): string {
  let digits = ''
  while (digits.length < count) digits += digitsOf(newId())
  return digits.slice(0, count)
}

const [HYPHEN = 0, ZERO = 0, NINE = 0, A = 0] = Buffer.from('-09a')

const decimals = Buffer.alloc(36)

/** The hexadecimal digits of a UUID as decimal ones. */
function digitsOf(id: string): string {
  let count = 0
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    if (code !== HYPHEN) decimals[count++] = code <= NINE ? code : code - A + ZERO
  }
  return decimals.toString('latin1', 0, count)
}

/** A number of six digits that follows from the text, such as the id of a user, which may be any. */
export function sixDigitsFor(text: string): number {
  let mixed = 7
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed, 31) + text.charCodeAt(at)
  return 100_000 + ((mixed >>> 0) % 900_000)
}

/** What a decision may look at. */
export interface EngineContext {
  readonly view: View
  /** As they are chosen now: look when deciding. */
  readonly readings: () => ReadingValues
  /** The platform's words for what the document writes neutrally. */
  readonly translator: Translator
  /** When a change happens that is decided now: at least a millisecond after the last change. Sandbox time, epoch milliseconds. */
  readonly now: () => number
  /** Real time, epoch milliseconds: what a recording lag is measured on. */
  readonly realNow: () => number
  readonly newId: () => string
  /** For objects with an integer id. */
  readonly newNumber: () => number
}

/** Fields of an object as a user gives them, still to be checked against the spec. */
export type ObjectFields = Readonly<Record<string, unknown>>

/** What a new object gets from the sandbox. */
export interface NewObjectDefaults {
  readonly id: string
  /** For objects that have an integer id too. */
  readonly number: number
  /** Sandbox time, as a body prints it. */
  readonly now: string
  readonly newId: () => string
}

export function newObjectDefaults(
  id: string,
  context: Pick<EngineContext, 'view' | 'now' | 'newId' | 'newNumber'>,
): NewObjectDefaults {
  const { now, newId } = context
  return { id, number: drawNumber(context), now: timestamp(now()), newId }
}

/** Beyond that nearly all are taken. */
const MOST_TRIES = 100

/** Those that are drawn have seven digits: of some thousand two would often be the same. */
function drawNumber({ view, newNumber }: Pick<EngineContext, 'view' | 'newNumber'>): number {
  const isTaken = (number: number) => view.keptId('accounts', String(number)) !== undefined
  let number = newNumber()
  for (let tries = 0; isTaken(number) && tries < MOST_TRIES; tries++) number = newNumber()
  return number
}
