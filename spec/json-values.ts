const DATE = String.raw`(\d{4})-(\d{2})-(\d{2})`
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)`

export const FORMATS: Readonly<Record<string, RegExp>> = {
  date: new RegExp(`^${DATE}$`),
  'date-time': new RegExp(`^${DATE}[t ]${TIME}$`, 'i'),
  email:
    /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d]([a-z\d-]*[a-z\d])?$/i,
  hostname: /^(?=.{1,253}\.?$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*\.?$/i,
  ipv4: /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.|$)){4}(?<!\.)$/,
  time: new RegExp(`^${TIME}$`, 'i'),
  uri: /^[a-z][a-z\d+.-]*:([\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i,
  uuid: /^(urn:uuid:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
}

/** Returns true if the text has this format. A date must exist in the calendar. */
export function isOfFormat(text: string, format: string): boolean {
  if (FORMATS[format]?.test(text) !== true) return false
  if (!format.startsWith('date')) return true
  const [month, day] = [Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  return day >= 1 && day <= daysOf(month, Number(text.slice(0, 4)))
}

function daysOf(month: number, year: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0)
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Does the same as `Object.hasOwn`. Platforms can compile generated files for ES2016, so this file uses no newer methods. */
export function hasOwn(object: object, key: string): boolean {
  return Object.prototype.hasOwnProperty.call(object, key)
}

export function entriesOf<Value>(object: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.keys(object).map((key) => [key, object[key] as Value])
}

export function concatMap<Part, Made>(parts: readonly Part[], make: (part: Part) => readonly Made[]): Made[] {
  return new Array<Made>().concat(...parts.map((part) => make(part)))
}

type IsOfType = (data: unknown) => boolean

const TYPES: Readonly<Record<string, IsOfType>> = {
  null: (data) => data === null,
  array: (data) => Array.isArray(data),
  object: (data) => typeof data === 'object' && data !== null && !Array.isArray(data),
  integer: (data) => Number.isInteger(data),
  number: (data) => typeof data === 'number',
  string: (data) => typeof data === 'string',
  boolean: (data) => typeof data === 'boolean',
}

export function typeTest(types: string | readonly string[]): IsOfType {
  const tests = (typeof types === 'string' ? [types] : types).map((type) => TYPES[type] ?? (() => false))
  const [only] = tests
  return only !== undefined && tests.length === 1 ? only : (data) => tests.some((test) => test(data))
}

/** Returns true if the JSON values are equal, ignoring the order of keys. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (keys.length !== others.length) return false
  return keys.every((key) => hasOwn(b, key) && isSame(Reflect.get(a, key), Reflect.get(b, key)))
}

export function hasDuplicates(data: readonly unknown[]): boolean {
  return data.some((value, index) => data.slice(0, index).some((earlier) => isSame(earlier, value)))
}

export function pointerStep(key: string): string {
  return `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`
}

export function pointerKeys(pointer: string): string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
}

export function valueAt(value: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
    value,
  )
}

/** Replaces each `{field}` in a template with the value of the field. Undefined if a value is neither a text nor an integer. */
export function fillTemplate(template: string, object: object): string | undefined {
  const parts = template
    .split(/[{}]/)
    .map((part, index): unknown => (index % 2 === 0 ? part : Reflect.get(object, part)))
  return parts.every((part) => typeof part === 'string' || Number.isInteger(part))
    ? parts.join('')
    : undefined
}

const numberOf = (data: unknown) => (typeof data === 'number' ? data : undefined)
// Counts code points, because JSON Schema defines the length of a text in this way.
const textLength = (data: unknown) => (typeof data === 'string' ? Array.from(data).length : undefined)
const listLength = (data: unknown) => (Array.isArray(data) ? data.length : undefined)
const fieldCount = (data: unknown) =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.keys(data).length : undefined
const isAtMost = (size: number, limit: number) => size <= limit
const isAtLeast = (size: number, limit: number) => size >= limit

/** The size limits of JSON Schema: keyword, message, function that returns the size or undefined, and comparison. */
export const LIMITS = [
  ['maximum', 'be <= #', numberOf, isAtMost],
  ['minimum', 'be >= #', numberOf, isAtLeast],
  ['exclusiveMaximum', 'be < #', numberOf, (size: number, limit: number) => size < limit],
  ['exclusiveMinimum', 'be > #', numberOf, (size: number, limit: number) => size > limit],
  ['multipleOf', 'be multiple of #', numberOf, (size: number, unit: number) => Number.isInteger(size / unit)],
  ['maxLength', 'NOT have more than # characters', textLength, isAtMost],
  ['minLength', 'NOT have fewer than # characters', textLength, isAtLeast],
  ['maxItems', 'NOT have more than # items', listLength, isAtMost],
  ['minItems', 'NOT have fewer than # items', listLength, isAtLeast],
  ['maxProperties', 'NOT have more than # properties', fieldCount, isAtMost],
  ['minProperties', 'NOT have fewer than # properties', fieldCount, isAtLeast],
] as const
