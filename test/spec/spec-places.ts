import { isDeepStrictEqual } from 'node:util'
import { listOperations, readDocument, readYaml } from '../../spec/document.ts'
import { deref, listKinds, refName, type JsonSchema } from '../../spec/json-schema.ts'

/** A part of the spec that can implement a statement of the service's document. */
export interface Place {
  /** The pointer, as in spec/trace.yaml. */
  readonly pointer: string
  /** The sections of the document that the part names. */
  readonly sections: readonly string[]
  /** True if the part must name a section. */
  readonly needed: boolean
}

interface Sourced {
  readonly source?: string
  readonly reading?: string
}

interface Transition extends Sourced {
  readonly from: string | null
  readonly to: string
}

interface Lifecycles {
  readonly objects: Readonly<
    Record<
      string,
      {
        readonly states: Readonly<Record<string, Sourced>>
        readonly unnotified?: Readonly<Record<string, Sourced>>
        readonly transitions?: readonly Transition[]
        readonly kinds?: Readonly<Record<string, readonly Transition[]>>
      }
    >
  >
  readonly payments: Readonly<Record<string, Sourced & { readonly notifications: readonly unknown[] }>>
}

interface Reading {
  readonly id: string
  readonly source: readonly string[]
}

const document = readDocument('openapi.yaml')
/** The schema of each union, with the fields that all its kinds share. */
const unions = Object.entries(document.schemas).flatMap(([name, { oneOf: _, ...schema }]) => {
  const union = listKinds(document.schemas[name] ?? {})
  const [first, ...others] = union.map((kind) => deref(kind, document.schemas))
  const alike = Object.entries(first?.properties ?? {}).filter(([field, value]) =>
    others.every(({ properties }) => isDeepStrictEqual(properties?.[field], value)),
  )
  const kinds = union.flatMap((kind) => refName(kind) ?? [])
  return first ? [{ name, kinds, schema: { ...schema, properties: Object.fromEntries(alike) } }] : []
})

export function specPlaces(): Place[] {
  return [
    ...Object.entries(document.schemas).flatMap(([name, schema]) =>
      schemaPlaces(name, unions.find((union) => union.name === name)?.schema ?? schema),
    ),
    ...operationPlaces(),
    ...Object.keys(document.openapi.components?.securitySchemes ?? {}).map((name) => place('security', name)),
    ...lifecyclePlaces(readYaml<Lifecycles>('lifecycles.yaml')),
    ...deliveryPlaces('', readYaml<object>('delivery.yaml')),
    ...readYaml<Reading[]>('readings.yaml').map(({ id, source }) => place('reading', id, source)),
  ]
}

function place(form: string, name: string, sections: readonly (string | undefined)[] = []): Place {
  return {
    pointer: `${form}:${name}`,
    sections: sections.filter((section) => section !== undefined),
    needed: true,
  }
}

function schemaPlaces(name: string, schema: JsonSchema): Place[] {
  const { 'x-source': source, properties = {} } = schema
  const repeated = new Set(
    unions.flatMap((union) => (union.kinds.includes(name) ? Object.keys(union.schema.properties) : [])),
  )
  return [
    { ...place('schema', name, [source]), needed: source !== undefined },
    ...Object.entries(properties).flatMap(([field, value]) => {
      const found = fieldPlaces(`${name}/${field}`, value, source !== undefined)
      return repeated.has(field) ? found.map((each) => ({ ...each, needed: false })) : found
    }),
  ]
}

function fieldPlaces(path: string, field: JsonSchema, ofStated: boolean): Place[] {
  const { 'x-source': source, 'x-reading': reading, items = field } = field
  const isStated = source !== undefined || (reading === undefined && ofStated)
  return [
    { ...place('schema', path, [source]), needed: isStated },
    ...Object.entries(items.properties ?? {}).flatMap(([name, inner]) =>
      fieldPlaces(`${path}/${name}`, inner, isStated),
    ),
  ]
}

function operationPlaces(): Place[] {
  const notifications = Object.values(document.openapi.webhooks ?? {}).flatMap((item) =>
    'post' in item && item.post ? [item.post] : [],
  )
  return [...listOperations(document).map(({ operation }) => operation), ...notifications].map(
    (operation) => {
      const source: string | undefined = operation['x-source']
      return {
        ...place('operation', operation.operationId ?? '', [source]),
        needed: source !== undefined,
      }
    },
  )
}

function lifecyclePlaces({ objects, payments }: Lifecycles): Place[] {
  const ofObjects = Object.entries(objects).flatMap(
    ([object, { states, unnotified, transitions, kinds }]) => [
      ...Object.entries({ ...states, ...unnotified }).map(([state, { source }]) =>
        place('lifecycle', `${object}/${state}`, [source]),
      ),
      ...Object.entries({ '': transitions ?? [], ...kinds }).flatMap(([kind, moves]) =>
        moves.map(({ from, to, source }) =>
          place('lifecycle', `${object}/${kind}/${from ?? '(created)'}->${to}`, [source]),
        ),
      ),
    ],
  )
  const ofPayments = Object.entries(payments).flatMap(([kind, { source, notifications }]) => [
    place('payment', kind, [source]),
    ...notifications.map((_, index) => place('payment', `${kind}/${index + 1}`)),
  ])
  return [...ofObjects, ...ofPayments]
}

function deliveryPlaces(path: string, node: object): Place[] {
  return Object.entries(node).flatMap(([key, child]: [string, object & Sourced]) => {
    const pointer = path === '' ? key : `${path}.${key}`
    const isValue = 'value' in child || 'reading' in child
    return isValue ? [place('delivery', pointer, [child.source])] : deliveryPlaces(pointer, child)
  })
}
