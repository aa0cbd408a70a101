import { types } from 'node:util'
import { didYouMean } from '../../spec/nearest.ts'

/** What an argument takes, in words, and whether a value is that. */
export interface ArgumentKind {
  readonly takes: string
  readonly fits: (given: unknown) => boolean
}

/** Throws TypeError that says what cannot be done, which argument is wrong, what was given and what fits. */
export function checkArgument(
  action: string,
  [name, { takes, fits }]: readonly [name: string, kind: ArgumentKind],
  given: unknown,
): void {
  if (fits(given)) return
  throw new TypeError(`Cannot ${action}: "${name}" is ${describeValue(given)}. Give ${takes}`)
}

/** A value in a few words. Never what is in an object, which may be secret. */
export function describeValue(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given)
  if (typeof given === 'function') return 'a function'
  if (typeof given !== 'object' || given === null) return String(given)
  if (Array.isArray(given)) return 'an array'
  if (types.isPromise(given)) return 'a Promise: await it first'
  const { name } = given.constructor ?? Object
  return name === 'Object' ? 'an object' : `a value of class ${name}`
}

const isObject = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && !types.isPromise(given)

/** True if it is an object whose fields have these types. */
export function isObjectWith(given: unknown, typeByField: Readonly<Record<string, string>>): boolean {
  return (
    isObject(given) &&
    Object.entries(typeByField).every(([name, type]) => typeof Reflect.get(given, name) === type)
  )
}

export const isText = (given: unknown): boolean => typeof given === 'string' && given !== ''

export const text = (takes: string): ArgumentKind => ({ takes, fits: isText })
export const object = (takes: string): ArgumentKind => ({ takes, fits: isObject })
export const optional = ({ takes, fits }: ArgumentKind): ArgumentKind => ({
  takes: `${takes}, or leave it out`,
  fits: (given) => given === undefined || fits(given),
})

/** An object that is named by its id, as another method gives it. */
export const record = (takes: string): ArgumentKind => ({
  takes,
  fits: (given) => isObject(given) && isText(Reflect.get(given, 'id')),
})

export const SEED_FIELDS = optional(object('an object of fields, such as { amount: 1200 }'))

/** Throws RangeError for a key that is none: a misspelt option would be left out without a word. */
export function refuseUnknownOptions(action: string, given: object, known: readonly string[]): void {
  const stray = Object.keys(given).find((name) => !known.includes(name))
  if (stray === undefined) return
  throw new RangeError(
    `Cannot ${action} with option "${stray}": there are ${known.join(', ')}${didYouMean(stray, known)}`,
  )
}
