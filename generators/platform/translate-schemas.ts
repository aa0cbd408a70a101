import { refName, type JsonSchema, type JsonSchemas } from '../../spec/json-schema.ts'
import {
  WHOLE,
  classifyText,
  placesWithin,
  translateValueAt,
  translateWord,
  type FieldLocation,
  type Words,
} from '../../spec/vocabulary.ts'

export type SchemaTranslator = (schema: JsonSchema, place: FieldLocation) => JsonSchema

const UNTRANSLATED: ReadonlySet<string> = new Set(['TestMessage', 'TolerantTestMessage'])

/** Translates schemas, but keeps their names. Throws RangeError if two fields of an object would get the same name. */
export function translateSchemas(schemas: JsonSchemas, words: Words): Record<string, JsonSchema> {
  const places = findPlaces(schemas)
  const translate = createSchemaTranslator(schemas, words)
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (UNTRANSLATED.has(name)) return [name, schema]
      return [name, translate(schema, places.get(name) ?? WHOLE)]
    }),
  )
}

/** Creates a translator for schemas without a name. Unnamed schemas can refer to named schemas. */
export function createSchemaTranslator(schemas: JsonSchemas, words: Words): SchemaTranslator {
  const places = findPlaces(schemas)
  return (schema, place) => translateSchema(schema, place, { schemas, words, places, open: [] })
}

/** Finds the location of the first reference to each named schema. */
function findPlaces(schemas: JsonSchemas): ReadonlyMap<string, FieldLocation> {
  const places = new Map<string, FieldLocation>()
  const visit = (schema: JsonSchema, place: FieldLocation): void => {
    const name = refName(schema)
    if (name !== undefined) enter(name, place)
    for (const [child, at] of listChildren(schema, place)) visit(child, at)
  }
  const enter = (name: string, place: FieldLocation): void => {
    const schema = schemas[name]
    if (!schema || places.has(name)) return
    places.set(name, place)
    visit(schema, place)
  }
  const text = JSON.stringify(schemas)
  const names = Object.keys(schemas)
  const roots = names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))
  for (const name of [...roots, ...names]) enter(name, WHOLE)
  return places
}

function listChildren(schema: JsonSchema, place: FieldLocation): (readonly [JsonSchema, FieldLocation])[] {
  const { properties = {}, items, allOf = [], anyOf = [], oneOf = [], not, additionalProperties } = schema
  const placeOf = placesWithin(place, Object.keys(properties))
  const same = [...allOf, ...anyOf, ...oneOf, ...(items ? [items] : []), ...(not ? [not] : [])]
  return [
    ...Object.entries(properties).map(([name, child]) => [child, placeOf(name)] as const),
    ...same.map((child) => [child, place] as const),
    ...(typeof additionalProperties === 'object' ? [[additionalProperties, placeOf('')] as const] : []),
  ]
}

interface Context {
  readonly schemas: JsonSchemas
  readonly words: Words
  readonly places: ReadonlyMap<string, FieldLocation>
  readonly open: readonly string[]
}

function translateSchema(schema: JsonSchema, place: FieldLocation, context: Context): JsonSchema {
  const { words } = context
  const inner = (child: JsonSchema, at = place) => translateSchema(child, at, context)
  const list = (children: readonly JsonSchema[]) => children.map((child) => inner(child))
  const placeOf = placesWithin(place, Object.keys(schema.properties ?? {}))
  const values = (given: readonly unknown[]) => given.map((value) => translateValueAt(words, value, place))
  const changes: Partial<Record<keyof JsonSchema, (value: never) => unknown>> = {
    properties: (properties: Properties) => translateProperties(properties, { words, placeOf, inner }),
    required: (names: readonly string[]) => names.map((name) => translateWord(words, name)),
    items: inner,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: inner,
    additionalProperties: (rest: boolean | JsonSchema) =>
      typeof rest === 'object' ? inner(rest, placeOf('')) : rest,
    enum: values,
    examples: values,
    'x-known-values': values,
    const: (value: unknown) => translateValueAt(words, value, place),
    default: (value: unknown) => translateValueAt(words, value, place),
    example: (value: unknown) => translateValueAt(words, value, place),
    'x-derived': (derived: Readonly<Record<string, string>>) => translateDerived(derived, words),
    pattern: (pattern: string) =>
      classifyText(place) === 'link' ? translatePattern(words, pattern) : pattern,
  }
  const said = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const change = changes[keyword as keyof JsonSchema]
      return [keyword, change ? change(value as never) : value]
    }),
  )
  return expandReference(schema, place, context) ?? said
}

type Properties = NonNullable<JsonSchema['properties']>

interface PropertyContext {
  readonly words: Words
  readonly placeOf: (key: string) => FieldLocation
  readonly inner: (child: JsonSchema, place: FieldLocation) => JsonSchema
}

function translateProperties(properties: Properties, { words, placeOf, inner }: PropertyContext): Properties {
  const said = new Map<string, string>()
  return Object.fromEntries(
    Object.entries(properties).map(([name, child]) => {
      const word = translateWord(words, name)
      const earlier = said.get(word)
      if (earlier !== undefined) {
        const both = `"${earlier}" and "${name}" of one object both become "${word}"`
        throw new RangeError(`Cannot use the vocabulary: ${both}. Choose another word`)
      }
      said.set(word, name)
      return [word, inner(child, placeOf(name))]
    }),
  )
}

/** Replaces a reference with its schema if the schema has a different translation at this location. */
function expandReference(schema: JsonSchema, place: FieldLocation, context: Context): JsonSchema | undefined {
  const name = refName(schema)
  const target = name === undefined ? undefined : context.schemas[name]
  const usual = name === undefined ? undefined : context.places.get(name)
  if (name === undefined || !target || !usual || context.open.includes(name)) return undefined
  if (classifyText(usual) === classifyText(place) && usual.inLinks === place.inLinks) return undefined
  const inside = { ...context, open: [...context.open, name] }
  const [here, there] = [translateSchema(target, place, inside), translateSchema(target, usual, inside)]
  if (JSON.stringify(here) === JSON.stringify(there)) return undefined
  const { $ref: _, ...beside } = schema
  return { ...here, ...beside }
}

function translateDerived(derived: Readonly<Record<string, string>>, words: Words): Record<string, string> {
  return Object.fromEntries(
    Object.entries(derived).map(([pointer, template]) => {
      const steps = pointer.split('/')
      const place = { key: steps.at(-1) ?? '', inLinks: steps[1] === 'links' }
      const said = String(translateValueAt(words, template, place))
      return [
        steps.map((step) => translateWord(words, step)).join('/'),
        said.replaceAll(/(?<=\{)\w+(?=\})/g, (field) => translateWord(words, field)),
      ]
    }),
  )
}

function translatePattern(words: Words, pattern: string): string {
  const said = pattern.replaceAll(/(?<=\/)[a-z_]+(?=[/$()]|$)/g, (segment) => translateWord(words, segment))
  const hasDigits = [...words.values()].some((word) => /\d/.test(word))
  return hasDigits ? said.replaceAll('[a-z_]', '[a-z0-9_]') : said
}
