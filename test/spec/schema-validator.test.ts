import formats from 'ajv-formats/dist/formats.js'
import { expect, test } from 'vitest'
import { plain } from '../../generators/standalone-schema.ts'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { SCHEMAS } from '../../spec/generated/schemas.ts'
import type { Schemas } from '../../spec/generated/service-types.ts'
import { validators } from '../../spec/generated/service-validators.ts'
import { FORMATS, isOfFormat } from '../../spec/formats.ts'
import { NOTIFICATIONS } from '../../spec/generated/notifications.ts'
import { validatorsOf, type CheckedSchema } from '../../spec/schema-validator.ts'

const checked = Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, plain(schema, '')]))
const own = validatorsOf<Schemas>(checked as { readonly [Name in keyof Schemas]: CheckedSchema })

const OTHERS = [null, '', 'x', '/x', 'successful', 0, -1, 1.5, true, {}, []]

/** The value with one part of it left out, added or made into something else, for every part. */
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

test.each(EXAMPLES)('validatorsOf() judges $name, and what is made of it, as ajv does', ({ type, body }) => {
  const { schema } = NOTIFICATIONS[type]

  const disagreed = [body, ...mutations(body)].filter(
    (value) => own[schema](value) !== validators[schema](value),
  )

  expect(disagreed).toEqual([])
})

test('validatorsOf() tells what is wrong as ajv does', () => {
  const [item] = EXAMPLES.flatMap(({ body }) => ('items' in body ? [body.items] : []))
  const wrong = [{ ...item, amount: '12' }, { ...item, state: 'gone' }, { ...item, extra: 1 }, { items: 1 }]

  const told = wrong.map((value) => {
    const bare = [own.Item, validators.Item].map((validator) => {
      validator(value)
      return validator.errors?.map(({ instancePath, keyword, message }) => [instancePath, keyword, message])
    })
    return bare
  })

  expect(told.map(([ours]) => ours)).toEqual(told.map(([, theirs]) => theirs))
})

const KEYWORDS: readonly (readonly [CheckedSchema, fits: unknown, fails: unknown])[] = [
  [{ maxLength: 2 }, '€😀', '123'],
  [{ exclusiveMinimum: 1 }, 2, 1],
  [{ exclusiveMaximum: 1 }, 0, 1],
  [{ multipleOf: 5 }, 10, 11],
  [{ type: ['number', 'null'] }, 1, '1'],
  [
    { uniqueItems: true },
    [{ a: 1, b: 2 }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ],
  [{ minItems: 1, maxItems: 1 }, [1], []],
  [{ enum: [{ a: [1] }] }, { a: [1] }, { a: [2] }],
  [{ allOf: [{ type: 'string' }, { minLength: 1 }] }, 'a', ''],
  [{ oneOf: [{ type: 'integer' }, { minimum: 5 }] }, 4, 6],
  [{ anyOf: [{ const: 1 }, { const: null }] }, null, 2],
  [{ not: { const: 1 } }, 2, 1],
  [{ additionalProperties: { type: 'integer' } }, { a: 1 }, { a: 'a' }],
  [{ $ref: 'Whole', minimum: 3 }, 3, 2],
  [{ $ref: 'Whole' }, 3, 2.5],
]

test.each(KEYWORDS)('validatorsOf() keeps %j', (schema, fits, fails) => {
  const { Given } = validatorsOf<Record<'Given' | 'Whole', unknown>>({
    Given: schema,
    Whole: { type: 'integer' },
  })

  expect([Given(fits), Given.errors, Given(fails), Given.errors?.length]).toEqual([true, null, false, 1])
})

const TEXTS = [
  '2024-02-29',
  '2023-02-29',
  '2024-13-01',
  '0000-01-31',
  '2024-04-31',
  '10:00:00Z',
  '24:00:00Z',
  '10:00:00',
  '2024-02-29T10:00:00Z',
  '2023-02-29T10:00:00.123+10:00',
  '2024-02-29T10:00:00',
  '2024-01-01 00:00:00z',
  'https://a.test/b?c=d#e',
  'urn:x:y',
  '/relative',
  'https://a b',
  'a',
  '',
  'https://a.test/%zz',
  'mailto:a@b.c',
  'a@b.co',
  'a@b',
  'a b@c.de',
  '@b.co',
  'a.test',
  '-a.test',
  '1.2.3.4',
  '1.2.3.256',
  '1.2.3',
  '1.2.3.4.',
  '123e4567-e89b-12d3-a456-426614174000',
  '123e4567e89b12d3a456426614174000',
  'urn:uuid:123E4567-e89b-12d3-a456-426614174000',
]

test.each(Object.keys(FORMATS))('isOfFormat() knows the same %s as ajv', (name) => {
  const format: unknown = Reflect.get(formats.fullFormats, name)
  const known = (text: string) => {
    if (format instanceof RegExp) return format.test(text)
    if (typeof format === 'function') return format(text) as unknown
    return Reflect.get(Object(format), 'validate')(text) as unknown
  }

  expect(TEXTS.filter((text) => isOfFormat(text, name))).toEqual(TEXTS.filter((text) => known(text) === true))
})
