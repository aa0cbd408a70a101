import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import formats from 'ajv-formats/dist/formats.js'
import { expect, test } from 'vitest'
import { readDocument } from '../../spec/document.ts'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { NOTIFICATIONS } from '../../spec/generated/notifications.ts'
import { FORMATS, isOfFormat } from '../../spec/json-values.ts'
import { createValidators } from '../../spec/schema-validator.ts'
import { controlSchemas, serviceSchemas } from '../../spec/schemas.ts'
import { relaxSchemas } from '../../spec/tolerant.ts'
import { tolerantValidators } from '../../spec/tolerant-validators.ts'
import { controlValidators, validators } from '../../spec/validators.ts'
import type { CheckedSchema, Validator } from '../../spec/validator.ts'

/** Creates an ajv instance for the same schemas, to compare it with the generated validators. */
function ajvOver(name: string, schemas: object, allErrors = false): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict: true,
    allowUnionTypes: true,
    inlineRefs: false,
    discriminator: true,
  })
  addFormats.default(ajv)
  ajv.addVocabulary(['components', 'x-source', 'x-reading', 'x-known-values'])
  ajv.addKeyword({ keyword: 'x-derived', type: 'object', schemaType: 'object', validate: isDerived })
  return ajv.addSchema({ $id: name, components: { schemas } })
}

/** A second implementation of the rule that a derived field is null or equals its filled template. */
function isDerived(derived: Readonly<Record<string, string>>, data: object): boolean {
  return Object.entries(derived).every(([pointer, template]) => {
    const [, first = '', ...others] = pointer.split('/')
    const value = others.reduce<unknown>(
      (node, key) => Reflect.get(Object(node), key),
      Reflect.get(data, first),
    )
    const field = /\{(\w+)\}/.exec(template)?.[1] ?? ''
    const id: unknown = Reflect.get(data, field)
    const isId = typeof id === 'string' || Number.isInteger(id)
    return (
      value === null || value === undefined || !isId || value === template.replace(`{${field}}`, String(id))
    )
  })
}

function judge(ajv: Ajv2020, document: string, name: string): Validator<unknown> {
  const found = ajv.getSchema(`${document}#/components/schemas/${name}`)
  if (!found) throw new Error(`Cannot compare: ajv has no schema ${name}`)
  return found as unknown as Validator<unknown>
}

const ajv = ajvOver('service', serviceSchemas)
const tolerantAjv = ajvOver('tolerant', relaxSchemas(serviceSchemas))

test.each([
  ['openapi.yaml', serviceSchemas, validators],
  ['control.yaml', controlSchemas, controlValidators],
])('ajv in strict mode accepts every schema of %s, and each schema has a validator', (file, schemas, all) => {
  const strict = ajvOver('strict', schemas)
  const names = Object.keys(readDocument(file).schemas)

  for (const name of names) judge(strict, 'strict', name)

  expect(Object.keys(all).toSorted()).toEqual(names.toSorted())
})

const OTHERS = [null, '', 'x', '/x', 'successful', 'completed', 12_000, 22_500, 0, -1, 1.5, true, {}, []]

/** Yields changed copies of a value. In each copy, a value is replaced, or a field is removed or added. */
function* mutations(value: unknown): Generator {
  yield* OTHERS
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    yield Array.isArray(value) ? [] : rest
    for (const changed of mutations(child)) {
      yield Array.isArray(value) ? [changed] : { ...value, [key]: changed }
    }
  }
  if (!Array.isArray(value)) yield { ...value, unheard_of: 1 }
}

test.each(EXAMPLES)('a validator and ajv agree on $name and its mutations', ({ type, body }) => {
  const { schema } = NOTIFICATIONS[type]
  const [theirs, tolerantOfTheirs] = [
    judge(ajv, 'service', schema),
    judge(tolerantAjv, 'tolerant', `Tolerant${schema}`),
  ]

  const disagreed = [body, ...mutations(body)].filter(
    (value) =>
      validators[schema](value) !== theirs(value) ||
      tolerantValidators[`Tolerant${schema}`](value) !== tolerantOfTheirs(value),
  )

  expect(disagreed).toEqual([])
})

/** Returns the error fields to compare. Other `params` are omitted, because the error messages contain them. */
const bare = ({ errors }: Validator<unknown>) =>
  errors?.map(({ instancePath, keyword, params, message }) => {
    const { missingProperty, additionalProperty } = params
    return [instancePath, keyword, message, missingProperty, additionalProperty]
  })

test('a generated validator reports the same errors as ajv except for combined fields', () => {
  const { oneOf: _, 'x-derived': __, ...Item } = serviceSchemas['Item'] ?? {}
  const theirs = judge(ajvOver('apart', { ...serviceSchemas, Item }), 'apart', 'Item')
  const [item] = EXAMPLES.flatMap(({ body }) => ('items' in body ? [body.items] : []))
  const wrong = [...mutations(item)].filter((value) => !theirs(value))

  const disagreed = wrong.filter((value) => {
    validators.Item(value)
    theirs(value)
    return JSON.stringify(bare(validators.Item)) !== JSON.stringify(bare(theirs))
  })

  expect(wrong.length).toBeGreaterThan(500)
  expect(disagreed).toEqual([])
})

const REQUEST_VALUES = [undefined, null, 1, -1, 1.5, '', 'x', 'https://a.test', true, [], [1], {}, { x: 1 }]

test.each([
  ['service', serviceSchemas, validators],
  ['control', controlSchemas, controlValidators],
] as const)('a request validator of the %s API reports each error that ajv reports', (name, schemas, all) => {
  const thorough = ajvOver(name, schemas, true)
  const requests = Object.entries(all).filter(([schema]) => schema.endsWith('Request'))

  const disagreed = requests.flatMap(([schema, validator]: [string, Validator<unknown>]) => {
    const theirs = judge(thorough, name, schema)
    const fields = [...Object.keys(schemas[schema]?.properties ?? {}), 'unheard_of']
    const bodies = REQUEST_VALUES.flatMap((value) => [
      value,
      Object.fromEntries(fields.map((field) => [field, value])),
      ...fields.map((field) => ({ [field]: value })),
    ])
    return bodies.filter((body) => {
      const same = validator(body) === theirs(body)
      return !same || JSON.stringify(bare(validator)) !== JSON.stringify(bare(theirs))
    })
  })

  expect(requests.length).toBeGreaterThan(8)
  expect(disagreed).toEqual([])
})

const TAGGED = [
  { properties: { kind: { const: 'a' } }, required: ['x'] },
  { properties: { kind: { const: 'b' } } },
]

const KEYWORDS: readonly (readonly [CheckedSchema, fits: unknown, fails: unknown])[] = [
  [{ maxLength: 2 }, '€😀', '123'],
  [{ exclusiveMinimum: 1 }, 2, 1],
  [{ uniqueItems: true }, [{ a: 1 }], [{ a: 1 }, { a: 1 }]],
  [{ minItems: 1, maxItems: 1 }, [1], []],
  [{ minProperties: 1 }, { a: 1 }, {}],
  [{ dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
  [{ required: ['constructor'] }, { constructor: 1 }, {}],
  [{ enum: [{ a: [1] }] }, { a: [1] }, { a: [2] }],
  [{ allOf: [{ type: 'string' }, { minLength: 1 }] }, 'a', ''],
  [{ oneOf: [{ type: 'integer' }, { minimum: 5 }] }, 4, 6],
  [{ oneOf: TAGGED, discriminator: { propertyName: 'kind' } }, { kind: 'b' }, { kind: 'c' }],
  [{ oneOf: TAGGED, discriminator: { propertyName: 'kind' } }, { kind: 'a', x: 1 }, { kind: 'a' }],
  [{ anyOf: [{ const: 1 }, { const: null }] }, null, 2],
  [{ not: { const: 1 } }, 2, 1],
  [{ additionalProperties: { type: 'integer' } }, { a: 1 }, { a: 'a' }],
  [{ $ref: 'Whole', minimum: 3 }, 3, 2],
]

test.each(KEYWORDS)('createValidators() enforces the schema %j', (schema, fits, fails) => {
  const { Given } = createValidators<Record<'Given', unknown>>({ Given: schema, Whole: { type: 'integer' } })

  expect([Given(fits), Given.errors, Given(fails), Given.errors?.[0] !== undefined]).toEqual([
    true,
    null,
    false,
    true,
  ])
})

const TEXTS = [
  '2024-02-29',
  '2023-02-29',
  '2024-13-01',
  '10:00:00Z',
  '24:00:00Z',
  '2024-02-29T10:00:00Z',
  '2023-02-29T10:00:00.123+10:00',
  '2024-01-01 00:00:00z',
  'https://a.test/b?c=d#e',
  'https://a b',
  'a',
  '',
  'a@b.co',
  'a@b',
  '@b.co',
  '-a.test',
  '1.2.3.4',
  '1.2.3.256',
  '123e4567-e89b-12d3-a456-426614174000',
  'urn:uuid:123E4567-e89b-12d3-a456-426614174000',
]

test.each(Object.keys(FORMATS))('isOfFormat() and ajv agree on the format %s', (name) => {
  const format: unknown = Reflect.get(formats.fullFormats, name)
  const known = (text: string) => {
    if (format instanceof RegExp) return format.test(text)
    if (typeof format === 'function') return format(text) as unknown
    return Reflect.get(Object(format), 'validate')(text) as unknown
  }

  expect(TEXTS.filter((text) => isOfFormat(text, name))).toEqual(TEXTS.filter((text) => known(text) === true))
})
