export type Fields = Readonly<Record<string, unknown>>
type Fits = (value: unknown) => boolean
export type Shape = Readonly<Record<string, Fits>>

export const like =
  (pattern: RegExp): Fits =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
export const orNull =
  (fits: Fits): Fits =>
  (value) =>
    value === null || fits(value)

export const text = like(/^/)
export const textOrNull = orNull(text)
/** §2.3: usually a UUID, sometimes an arbitrary or numeric string. */
export const id = like(/^[^]/)
export const uuid = like(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
/** §2.3: ISO 8601 UTC with milliseconds and suffix Z. */
export const timestamp: Fits = (value) =>
  typeof value === 'string' && Number.isFinite(Date.parse(value)) && new Date(value).toISOString() === value
export const whole: Fits = (value) => Number.isInteger(value)
export const wholeOrNull = orNull(whole)
/** §2.3: an integer in minor currency units. `debit_credit` contains the direction. */
export const amount: Fits = (value) => Number.isInteger(value) && Number(value) >= 0
export const threeLetters = like(/^[A-Z]{3}$/)
export const flag: Fits = (value) => typeof value === 'boolean'
export const isNull: Fits = (value) => value === null
export const oneOf =
  (...values: readonly unknown[]): Fits =>
  (value) =>
    values.includes(value)
/** §2.3: `/<type>/<id>/<relation>`. */
export const path = like(/^\/[a-z_]+\/[^/]+\/[a-z_]+$/)
export const object =
  (shape: Shape): Fits =>
  (value) =>
    misfits(value, shape).length === 0
export const each =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits)

export function fields(names: string, fits: Fits): Shape {
  return Object.fromEntries(names.split(' ').map((name) => [name, fits]))
}

/** Lists missing, unexpected and invalid fields. */
export function misfits(value: unknown, shape: Shape): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['is no object']
  const names = new Set([...Object.keys(shape), ...Object.keys(value)])
  return [...names].filter(
    (name) => !Object.hasOwn(value, name) || shape[name]?.(Reflect.get(value, name)) !== true,
  )
}
