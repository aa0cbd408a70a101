import { expect, test, vi } from 'vitest'
import { platformFiles } from '../../../generators/platform/platform-files.ts'
import { readBundled } from '../../../spec/document.ts'
import { EXAMPLES } from '../../../spec/generated/examples.ts'
import { createTranslator } from '../../../spec/vocabulary.ts'
import { generatedModule } from '../../support/generated-module.ts'

const item = EXAMPLES.flatMap(({ body }) => ('items' in body ? [body.items] : []))[0]

const withActions = (...actions: readonly object[]) => ({ overlay: '1.1.0', actions })
const generate = (overlay: unknown, vocabulary = {}) =>
  platformFiles(readBundled(), { language: 'ts', overlay, vocabulary })

/** Returns the one-line message with which an overlay is rejected. */
async function rejectionOf(overlay: unknown): Promise<string> {
  const error: unknown = await generate(overlay).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(RangeError)
  expect(String(error)).not.toContain('\n')
  return String(error)
}

test('an overlay changes types and validators before the vocabulary applies', async () => {
  const overlay = withActions(
    {
      target: '$.components.schemas.Item.properties',
      update: { extwallet_note: { type: 'string', maxLength: 3 } },
    },
    { target: '$.components.schemas.Item.required', update: ['extwallet_note'] },
    { target: '$.components.schemas.Item.required[?(@=="legacy_fee" || @=="batch_state")]', remove: true },
    { target: '$.components.schemas.Item.properties.legacy_fee', remove: true },
  )
  const vocabulary = { extwallet: 'lane' }
  const files = await generate(overlay, vocabulary)
  const { validators } = await generatedModule(files)
  const types = files.find(({ path }) => path === 'types.ts')?.text ?? ''
  const { legacy_fee: _, batch_state: __, ...rest } = item ?? ({} as NonNullable<typeof item>)
  const sent = Object(createTranslator(vocabulary).outward({ ...rest, extwallet_note: 'abc' }))

  const { Item } = validators
  const verdicts = [
    sent,
    { ...sent, lane_note: 'abcd' },
    { ...sent, legacy_fee: 1 },
    { ...sent, lane_note: undefined },
  ]
  expect(verdicts.map((body) => Item?.(body))).toEqual([true, false, false, false])
  expect([types.includes('readonly lane_note: string'), types.includes('legacy_fee')]).toEqual([true, false])
})

test('a tolerant reader accepts the fields that an overlay adds next to the object', async () => {
  const beside = ['ItemsNotification', 'BatchTransactionsNotification'].flatMap((name) => [
    { target: `$.components.schemas.${name}.properties`, update: { sent_by: { type: 'string' } } },
    { target: `$.components.schemas.${name}.required`, update: ['sent_by'] },
  ])
  const { parseNotification } = await generatedModule(await generate(withActions(...beside)))
  const bodies = EXAMPLES.flatMap(({ body }) =>
    'items' in body || 'batch_transactions' in body ? [body] : [],
  ).filter((_, index, { length }) => index === 0 || index === length - 1)

  const verdicts = bodies.flatMap((body) => [
    parseNotification({ ...body, sent_by: 'x' }).ok,
    parseNotification(body).errors,
    parseNotification({ ...body, sent_by: 1, other: 1 }).errors?.length,
    parseNotification(body, { tolerant: true }).ok,
    parseNotification({ ...body, sent_by: null }, { tolerant: true }).ok,
  ])

  const expected = [true, [{ pointer: '/sent_by', message: 'is missing' }], 2, true, true]
  expect(verdicts).toEqual([...expected, ...expected])
})

const KEY = { target: '$.components.schemas.Item.properties.amount', update: {} }

test.each([
  [
    'an action that hits nothing',
    withActions(KEY, { target: '$.components.schemas.Nothing', update: {} }),
    'action 2 ("$.components.schemas.Nothing"): nothing is at its target',
  ],
  [
    'a copy onto nothing',
    withActions({ target: '$.nowhere', copy: '$.info' }),
    'action 1 ("$.nowhere"): nothing is at its target',
  ],
  [
    'an action without effect',
    withActions({ target: '$.info.title' }),
    'action 1 ("$.info.title"): action must define',
  ],
  ['an action without target', withActions({ update: {} }), 'action 1 (no target): action target must be'],
  [
    'an action without which nothing is a document',
    withActions({ target: '$.info', remove: true }),
    'action 1 ("$.info"): the document needs its openapi and its info',
  ],
  ['a wrong JSONPath', withActions({ target: '$.components[', update: {} }), 'action 1 ("$.components["): '],
  ['an action that is no object', withActions(KEY, []), 'action 2 (no target)'],
  ['text in place of an object', withActions({ ...KEY, update: 'x' }), 'type mismatch'],
  ['a document that is no overlay', { openapi: '3.1.1' }, 'it has no "overlay" with a version'],
  ['an empty file', null, 'it has no "overlay" with a version'],
  ['another version', { overlay: '2.0.0', actions: [KEY] }, 'its version is "2.0.0"'],
  ['a version that is a number', { overlay: 1.1, actions: [KEY] }, 'its version is 1.1'],
  ['no actions', { overlay: '1.0.0' }, 'it has no "actions"'],
])('an overlay is rejected in one line with %s', async (_, overlay, message) => {
  const printed = vi.spyOn(console, 'error')

  const said = await rejectionOf(overlay)

  expect(said).toContain(`Cannot use the overlay: `)
  expect(said).toContain(message)
  expect(printed).not.toHaveBeenCalled()
  printed.mockRestore()
})

const ITEM = '$.components.schemas.Item'

test.each([
  [
    'an unknown keyword',
    `${ITEM}.properties.amount`,
    { colour: 'red' },
    '/components/schemas/Item/properties/amount/colour is a keyword',
  ],
  [
    'an unknown type',
    `${ITEM}.properties.name`,
    { type: 'text' },
    '/components/schemas/Item/properties/name/type is "text"',
  ],
  ['an unknown format', `${ITEM}.properties.name`, { format: 'colour' }, 'format is "colour"; it takes date'],
  ['a wrong pattern', `${ITEM}.properties.name`, { pattern: '[' }, 'which is not a regular expression'],
  [
    'a schema that is none',
    `${ITEM}.properties`,
    { name: null },
    '/components/schemas/Item/properties/name is no schema',
  ],
  [
    'a reference to nothing',
    `${ITEM}.properties`,
    { amount: { $ref: '#/components/schemas/Gone' } },
    'unknown schema',
  ],
])(
  'an overlay is rejected with a one-line error that names the cause when it adds %s',
  async (_, ...[target, update, message]) => {
    expect(await rejectionOf(withActions({ target, update }))).toContain(message)
  },
)

test.each([
  '$.webhooks',
  '$.components.schemas',
  '$.components.schemas.Item',
  "$.paths['/items/{id}']",
  '$.webhooks.items.post',
])('an overlay is rejected with a one-line error when it removes %s', async (target) => {
  expect(await rejectionOf(withActions({ target, remove: true }))).toMatch(
    /^RangeError: Cannot use the overlay: nothing can be generated after it (.+). Correct its actions$/,
  )
})

test('text in an overlay cannot break out of comments or quotes in generated code', async () => {
  const update = { description: 'ends */ here `${1}`', type: 'string', enum: ["it's", '"', '\\', '\n'] }
  const files = await generate(withActions({ target: `${ITEM}.properties.name`, update }))
  const { validators } = await generatedModule(files)

  const verdicts = ["it's", '"', '\\', '\n', 'its'].map((name) => validators['Item']?.({ ...item, name }))

  expect(verdicts).toEqual([true, true, true, true, false])
  expect(files.filter(({ text }) => text.includes('ends */'))).toEqual([])
})
