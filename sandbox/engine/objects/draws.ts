import { createHash } from 'node:crypto'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import type { View } from '../state/view.ts'
import { formatUuid } from '../core/random.ts'
import { timestamp } from '../core/timestamp.ts'

/** Returns the same version 8 UUID for the same text. */
export function uuidFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return formatUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}

export function drawDigits(count: number, newId: () => string): string {
  let digits = ''
  while (digits.length < count)
    digits += newId()
      .replaceAll('-', '')
      .replaceAll(/[a-f]/g, (digit) => String('abcdef'.indexOf(digit)))
  return digits.slice(0, count)
}

/** Returns the same six-digit number for the same text. */
export function sixDigitsFor(text: string): number {
  let mixed = 7
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed, 31) + text.charCodeAt(at)
  return 100_000 + ((mixed >>> 0) % 900_000)
}

export interface EngineContext {
  readonly view: View
  /** The present choice. Read the value again at each decision. */
  readonly readings: () => ReadingValues
  /** Translates the neutral words of the document into those of the platform. */
  readonly translator: Translator
  /** The time of a present change, at least a millisecond after the last change. Sandbox time, epoch milliseconds. */
  readonly now: () => number
  /** Real time, epoch milliseconds, as the recording lag needs it. */
  readonly realNow: () => number
  readonly newId: () => string
  /** For objects with an integer id. */
  readonly newNumber: () => number
}

/** Fields as given, not checked against the spec. */
export type ObjectFields = Readonly<Record<string, unknown>>

export interface NewObjectDefaults {
  readonly id: string
  /** For objects that also have an integer id. */
  readonly number: number
  /** Sandbox time, formatted for a body. */
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

/** After so many tries, nearly all numbers are taken. */
const MAX_TRIES = 100

/** Draws seven digits, because fewer would often collide. */
function drawNumber({ view, newNumber }: Pick<EngineContext, 'view' | 'newNumber'>): number {
  const isTaken = (number: number) => view.keptId('accounts', String(number)) !== undefined
  let number = newNumber()
  for (let tries = 0; isTaken(number) && tries < MAX_TRIES; tries++) number = newNumber()
  return number
}
