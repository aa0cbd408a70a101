import { types } from 'node:util'
import { didYouMean } from '../../spec/nearest.ts'

export interface ArgumentKind {
  readonly takes: string
  readonly fits: (given: unknown) => boolean
}

/** Throws TypeError for a wrong argument. The message contains the method, argument, value and accepted values. */
export function checkArgument(
  action: string,
  [name, { takes, fits }]: readonly [name: string, kind: ArgumentKind],
  given: unknown,
): void {
  if (fits(given)) return
  throw new TypeError(`Cannot ${action}: "${name}" is ${describeValue(given)}. Give ${takes}`)
}

/** Describes a value in a few words. Omits the content of an object, because it may be secret. */
export function describeValue(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given)
  if (typeof given === 'function') return 'a function'
  if (typeof given !== 'object' || given === null) return String(given)
  if (Array.isArray(given)) return 'an array'
  if (types.isPromise(given)) return 'a Promise. Await the Promise first'
  const { name } = given.constructor ?? Object
  return name === 'Object' ? 'an object' : `a value of class ${name}`
}

const isObject = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && !types.isPromise(given)

export function isObjectWith(given: unknown, typeByField: Readonly<Record<string, string>>): boolean {
  return (
    isObject(given) &&
    Object.entries(typeByField).every(([name, type]) => typeof Reflect.get(given, name) === type)
  )
}

const isText = (given: unknown): boolean => typeof given === 'string' && given !== ''

export const text = (takes: string): ArgumentKind => ({ takes, fits: isText })
export const object = (takes: string): ArgumentKind => ({ takes, fits: isObject })
export const optional = ({ takes, fits }: ArgumentKind): ArgumentKind => ({
  takes: `${takes}, or omit it`,
  fits: (given) => given === undefined || fits(given),
})

const OBJECT = object('an object')
const RECORD: ArgumentKind = {
  takes: 'an object with an id',
  fits: (given) => isObject(given) && isText(Reflect.get(given, 'id')),
}

export function copyObject<Given extends object>(action: string, name: string, given: Given): Given {
  checkArgument(action, [name, OBJECT], given)
  return { ...given }
}

export function idOf(action: string, name: string, given: { readonly id: string }): string {
  checkArgument(action, [name, RECORD], given)
  return given.id
}

/** Throws RangeError for an unknown option, because otherwise a misspelled option would be ignored silently. */
export function refuseUnknownOptions(action: string, given: object, known: readonly string[]): void {
  checkArgument(action, ['options', OBJECT], given)
  const stray = Object.keys(given).find((name) => !known.includes(name))
  if (stray === undefined) return
  throw new RangeError(
    `Cannot ${action} with option "${stray}": the options are ${known.join(', ')}${didYouMean(stray, known)}`,
  )
}
