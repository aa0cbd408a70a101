import { EARLIER_NOTIFICATIONS, NOTIFICATIONS, type NotifiedType } from './generated/notifications.ts'
import type { Schemas, TestMessage } from './generated/service-types.ts'
import type { Schemas as TolerantSchemas } from './generated/tolerant-types.ts'
import { entriesOf, hasOwn, pointerStep, valueAt } from './json-values.ts'
import { kindOf, notifiedTypes } from './kinds.ts'
import { tolerantValidators } from './tolerant-validators.ts'
import type { ValidationError, Validator } from './validator.ts'
import { validators } from './validators.ts'

/** The object type of a notification body. The service's earlier callback list adds more types. */
export type BodyType = NotifiedType | EarlierType

type EarlierType = keyof typeof EARLIER_NOTIFICATIONS

/** A parsed notification. The field `type` contains an object type such as `items` or `users`, or `test` for the test message. */
export type Parsed = { readonly [Type in BodyType]: ParsedAs<Type> }[BodyType] | ParsedTest

/** A notification that may contain unknown fields, states and kinds. */
export type TolerantParsed = { readonly [Type in BodyType]: TolerantParsedAs<Type> }[BodyType] | ParsedTest

type SchemaOf<Type extends BodyType> = (typeof NOTIFICATIONS & typeof EARLIER_NOTIFICATIONS)[Type]['schema']

/** A parsed notification of one type. */
export interface ParsedAs<Type extends BodyType> {
  readonly ok: true
  readonly type: Type
  readonly notification: Schemas[SchemaOf<Type>]
}

/** A notification that may contain unknown fields, states and kinds. */
export interface TolerantParsedAs<Type extends BodyType> {
  readonly ok: true
  readonly type: Type
  readonly notification: TolerantSchemas[`Tolerant${SchemaOf<Type>}`]
}

/** The test message. The service registers a URL only if the URL accepts this message. */
export interface ParsedTest {
  readonly ok: true
  readonly type: 'test'
  readonly notification: TestMessage
}

/** The result for a body that is not a valid notification. */
export interface Unparsed {
  readonly ok: false
  /** One error for each invalid value. The list contains at least one error and at most a thousand errors. */
  readonly errors: readonly ParseError[]
}

/** A problem in a body, and its location. */
export interface ParseError {
  /** The JSON pointer of the invalid value, such as `/items/amount`. Empty if the whole body is invalid. */
  readonly pointer: string
  readonly message: string
}

/**
 * Parses a notification body, given as parsed JSON. Strict mode accepts exactly the documented bodies. Tolerant mode is for
 * receivers and also accepts unknown fields, states and kinds. Never throws.
 */
export function parseNotification(
  body: unknown,
  options: { readonly tolerant: true },
): TolerantParsed | Unparsed
export function parseNotification(body: unknown, options?: { readonly tolerant?: false }): Parsed | Unparsed
export function parseNotification(
  body: unknown,
  options: { readonly tolerant?: boolean },
): Parsed | TolerantParsed | Unparsed
export function parseNotification(
  body: unknown,
  { tolerant = false }: { readonly tolerant?: boolean } = {},
): Parsed | TolerantParsed | Unparsed {
  const types = listTypes(body, tolerant)
  const results = types.map((type) => ({ type, errors: problems(body, type, tolerant) }))
  const fitting = results.find(({ errors }) => errors.length === 0)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the validator of the type has just accepted the body
  if (fitting) return { ok: true, type: fitting.type, notification: body } as Parsed
  const [first] = results
  return { ok: false, errors: first?.errors ?? [{ pointer: '', message: unknownMessage(body) }] }
}

/** Lists the possible types of a body, most likely first. A body has a wrapper key, or contains its type. Source: §2.3, §6.3 */
function listTypes(body: unknown, tolerant: boolean): (BodyType | 'test')[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const wrappers = notifiedTypes.filter((type) => NOTIFICATIONS[type].wrapped && hasOwn(body, type))
  const earlier = Object.keys(EARLIER_NOTIFICATIONS).filter(
    (type): type is EarlierType => isEarlierType(type) && hasOwn(body, type),
  )
  const flat = notifiedTypes.filter(
    (type) => !NOTIFICATIONS[type].wrapped && matchesType(type, body, tolerant),
  )
  return [...wrappers, ...earlier, ...flat, ...(hasOwn(body, 'message') ? (['test'] as const) : [])]
}

function isEarlierType(type: string): type is EarlierType {
  return hasOwn(EARLIER_NOTIFICATIONS, type)
}

/** Returns true if the constants in the body identify the type. Tolerant mode also accepts a body that matches the type's schema. */
function matchesType(type: NotifiedType, body: object, tolerant: boolean): boolean {
  const { constants, schema } = NOTIFICATIONS[type]
  const isNamed = entriesOf(constants).every(([field, value]) => Reflect.get(body, field) === value)
  return isNamed || (tolerant && findValidator(schema, true)(body))
}

function unknownMessage(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'must be an object'
  const keys = Object.keys(body).slice(0, 5).join(', ')
  return `has no known object type: its keys are ${keys === '' ? 'none' : keys}`
}

function problems(body: unknown, type: BodyType | 'test', tolerant: boolean): ParseError[] {
  if (type === 'test') return listErrors(findValidator('TestMessage', tolerant), body, '')
  if (isEarlierType(type))
    return listErrors(findValidator(EARLIER_NOTIFICATIONS[type].schema, tolerant), body, '')
  const row = NOTIFICATIONS[type]
  const object = row.wrapped ? valueAt(body, `/${type}`) : undefined
  if (tolerant || row.kinds.length === 0) return listErrors(findValidator(row.schema, tolerant), body, '')
  // The schema of a single kind gives specific errors. The errors of a union schema only say that no kind matches.
  const kind = kindOf(type, object)
  const around = listErrors(findValidator(row.schema, false), body, '').filter(
    ({ pointer }) => pointer !== `/${type}` && !pointer.startsWith(`/${type}/`),
  )
  if (!kind) return [...around, unknownKind(type, object)]
  return [...around, ...listErrors(findValidator(kind, false), object, `/${type}`)]
}

function unknownKind(type: NotifiedType, object: unknown): ParseError {
  const [kind] = NOTIFICATIONS[type].kinds
  const told = Object.keys(kind?.constants ?? {}).map(
    (field) => `${field} ${JSON.stringify(valueAt(object, `/${field}`))}`,
  )
  return { pointer: `/${type}`, message: `is of an unknown kind: ${told.join(' with ')}` }
}

function findValidator(schema: string, tolerant: boolean): Validator<unknown> {
  const all: Readonly<Record<string, Validator<unknown>>> = tolerant ? tolerantValidators : validators
  const found = all[tolerant ? `Tolerant${schema}` : schema]
  if (!found) throw new Error(`Cannot validate: unknown schema ${schema}`)
  return found
}

function listErrors(validator: Validator<unknown>, value: unknown, prefix: string): ParseError[] {
  if (validator(value)) return []
  const errorByPointer = new Map<string, ParseError>()
  for (const error of validator.findAll(value)) {
    const { instancePath, keyword, params } = error
    const missing = keyword === 'required' ? params['missingProperty'] : params['additionalProperty']
    const field = typeof missing === 'string' ? pointerStep(missing) : ''
    const pointer = `${prefix}${instancePath}${field}`
    // Stores only the first error for each value, because it is the most specific error.
    if (!errorByPointer.has(pointer))
      errorByPointer.set(pointer, { pointer, message: wordError(error, value) })
  }
  return [...errorByPointer.values()]
}

function wordError(
  { instancePath, keyword, params, message = 'is not valid' }: ValidationError,
  value: unknown,
): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not part of the spec'
    case 'enum':
      return `is ${shownValue(valueAt(value, instancePath))}, which is not one of ${listValues(params['allowedValues'])}`
    case 'const':
      return `is ${shownValue(valueAt(value, instancePath))}, not ${shownValue(params['allowedValue'])}${besides(params)}`
    case 'not':
      return `is ${shownValue(valueAt(value, instancePath))}, which the spec excludes`
    default:
      return message
  }
}

function besides({ tag, tagValue }: ValidationError['params']): string {
  return typeof tag === 'string' ? ` where "${tag}" is ${shownValue(tagValue)}` : ''
}

const MAX_VALUE_LENGTH = 80

/** Formats a value as JSON. Truncates long text. */
function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

function listValues(allowed: unknown): string {
  return Array.isArray(allowed) ? allowed.map(shownValue).join(', ') : shownValue(allowed)
}
