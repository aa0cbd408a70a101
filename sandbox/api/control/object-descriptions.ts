import type * as Api from '../../../spec/generated/control-types.ts'
import { MODELS } from '../../../spec/generated/models.ts'
import { deref, type JsonSchema } from '../../../spec/json-schema.ts'
import { objectState } from '../../../spec/models.ts'
import { kindOf, type NotifiedType, type ObjectByType } from '../../../spec/notifications.ts'
import { serviceSchemas } from '../../../spec/schemas.ts'
import {
  findTransitions,
  LIFECYCLE_BY_TYPE,
  nextStates,
  type SpecOrigin,
} from '../../engine/objects/transitions.ts'
import { followsBatch } from '../../engine/payments/take-step.ts'
import { reply } from '../operations/operation.ts'
import { readPastOrPresent } from './look-back.ts'
import { findObject, parseObjectType } from './objects.ts'
import type { ControlOperation } from './operation.ts'

export const describeObject: ControlOperation<'describeObject'> = readPastOrPresent(({ path }, context) => {
  const type = parseObjectType(path.type)
  const { id, revision, body } = findObject(type, path.id, context)
  const schema = { $ref: `#/components/schemas/${kindOf(type, body) ?? MODELS[type].schema}` }
  const fields = describeFields(body, { schema, path: '', mark: UNKNOWN })
  const payment_id = context.view.paymentOf(type, id)?.id ?? null
  const life = describeLife(type, body)
  const next = followsBatch(type, id, context.view) ? [] : life.next
  return reply(200, { object_type: type, id, revision, payment_id, ...life, next, fields })
})

function describeLife(
  type: NotifiedType,
  object: ObjectByType[NotifiedType],
): Pick<Api.ObjectDescription, 'state' | 'states' | 'transitions' | 'next' | 'moves'> {
  const { states, moves } = LIFECYCLE_BY_TYPE[type]
  const state = objectState(type, object)
  const others = state === null ? [] : Object.keys(states).filter((each) => each !== state)
  return {
    state,
    states: Object.entries(states).map(([name, { code = null, ...entry }]): Api.DescribedState => {
      return { state: name, code, mark: toMark(entry) }
    }),
    transitions:
      findTransitions(type, object)?.map(({ from, to, trigger }) => ({ from, to, trigger })) ?? null,
    // Reading: unshown-transitions
    next: [...(nextStates(type, object) ?? others)],
    moves: toMark(moves),
  }
}

const UNKNOWN: Api.SpecMark = { source: null, reading: null }

function toMark({ source, reading }: SpecOrigin): Api.SpecMark {
  return { source: source ?? null, reading: reading ?? null }
}

interface DescribedField {
  readonly schema: JsonSchema
  /** The path to the value: the names of the outer fields, each followed by a dot. Empty if the value is the object itself. */
  readonly path: string
  readonly mark: Api.SpecMark
}

function describeFields(value: object, { schema, path, mark: outer }: DescribedField): Api.DescribedField[] {
  const mark = markOf(schema) ?? outer
  const properties = listProperties(schema)
  return Object.entries(value).flatMap(([name, inner]: readonly [string, unknown]): Api.DescribedField[] => {
    const property = properties[name] ?? {}
    const place = `${path}${name}`
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    const hasFields =
      isObject && Object.keys(inner).length > 0 && Object.keys(listProperties(property)).length > 0
    if (isObject && hasFields) return describeFields(inner, { schema: property, path: `${place}.`, mark })
    const about = property.description ?? deref(property, serviceSchemas).description ?? ''
    return [{ path: place, value: JSON.stringify(inner), about, mark: markOf(property) ?? mark }]
  })
}

/** Returns the mark of a schema: its source and reading. A mark next to a reference overrides the mark of the referenced schema. */
function markOf(schema: JsonSchema): Api.SpecMark | undefined {
  const marked = [schema, deref(schema, serviceSchemas)].find(
    (each) => each['x-source'] !== undefined || each['x-reading'] !== undefined,
  )
  return marked && { source: marked['x-source'] ?? null, reading: marked['x-reading'] ?? null }
}

/** Lists the properties of a schema. The schema's own properties override properties from `allOf`, `anyOf` and `oneOf`. */
function listProperties(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties, allOf = [], anyOf = [], oneOf = [] } = deref(schema, serviceSchemas)
  const parts = [...allOf, ...anyOf, ...oneOf].flatMap((part) => Object.entries(listProperties(part)))
  return { ...Object.fromEntries(parts), ...properties }
}
