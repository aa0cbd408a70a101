import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { platformFiles } from '../../../generators/platform/platform-files.ts'
import { readBundled } from '../../../spec/document.ts'
import { EXAMPLES } from '../../../spec/generated/examples.ts'
import { NOTIFICATIONS } from '../../../spec/generated/notifications.ts'
import { createTranslator, type Vocabulary } from '../../../spec/vocabulary.ts'
import { generatedModule } from '../../support/generated-module.ts'

/** Sample brand names, and words that affect how the parser distinguishes body types. */
const BRANDS = {
  extwallet: 'pay2lane',
  partner: 'gateway',
  legacy: 'oldpay',
  request_response: 'request_responses',
}
const EVERYTHING = {
  ...BRANDS,
  items: 'orders',
  virtual_accounts: 'vbans',
  users: 'people',
  type: 'sort',
  name: 'title',
  state: 'phase',
  payin_details: 'details',
  direct_debit: 'dd',
  wallet: 'purse',
  links: 'refs',
}

const generate = async (vocabulary: Vocabulary) =>
  generatedModule(await platformFiles(readBundled(), { language: 'ts', vocabulary }))

const brands = await generate(BRANDS)
const everything = await generate(EVERYTHING)
const plain = await generate({})

const EDITIONS = [
  ['an empty vocabulary', {}, plain],
  ['a vocabulary of brand words', BRANDS, brands],
  ['a vocabulary with a word for every term', EVERYTHING, everything],
] as const

test.each(EDITIONS)(
  'the generated parser accepts every golden body with %s',
  (_, vocabulary, { parseNotification, validators }) => {
    const { outward } = createTranslator(vocabulary)

    const refused = EXAMPLES.flatMap(({ name, type, body }) => {
      const sent = outward(body)
      const results = [parseNotification(sent), parseNotification(sent, { tolerant: true })]
      const said = Object.keys(Object(outward({ [type]: 1 })))[0]
      const isRight = results.every((result) => result.ok && result.type === said)
      return isRight && validators[NOTIFICATIONS[type].schema]?.(sent) === true ? [] : [[name, results]]
    })

    expect(refused).toEqual([])
  },
)

test.each(EDITIONS)(
  'the generated parser rejects a body that does not use the vocabulary with %s',
  (_, vocabulary, { parseNotification, validators }) => {
    const { outward } = createTranslator(vocabulary)
    const others = EXAMPLES.filter(({ body }) => JSON.stringify(outward(body)) !== JSON.stringify(body))

    const accepted = others.filter(
      ({ type, body }) =>
        parseNotification(body).ok || validators[NOTIFICATIONS[type].schema]?.(body) === true,
    )

    expect(accepted.map(({ name }) => name)).toEqual([])
  },
)

const UNFIT = [
  ['items-refunded', '"status":22600', '"status":22500'],
  ['items-refunded', '"self":"/items/', '"self":"/items/x'],
  ['disbursements-bank-processing', '"trying"', '"failed"'],
  [
    'batch-transactions-payment-direct-debit-batched',
    '"account_type":"item"',
    '"account_type":"bank_account"',
  ],
  ['transactions-payment-credit-card', '"transactions":[{"id":"', '"transactions":[{"id":"x'],
  ['virtual-accounts-status-updated', '"link":"/virtual_accounts/', '"link":"/virtual_accounts/x'],
] as const

test.each(EDITIONS)(
  'the generated strict parser rejects contradictory fields with %s',
  (_, vocabulary, { parseNotification }) => {
    const { outward } = createTranslator(vocabulary)

    const results = UNFIT.map(([name, said, instead]) => {
      const text = JSON.stringify(EXAMPLES.find((golden) => golden.name === name)?.body)
      const unfit: unknown = outward(JSON.parse(text.replace(said, instead)))
      return [
        text.includes(said),
        parseNotification(unfit).ok,
        parseNotification(unfit, { tolerant: true }).ok,
      ]
    })

    expect(results).toEqual(UNFIT.map(() => [true, false, true]))
  },
)

test.each(EDITIONS)(
  'the JSON Schemas accept sent bodies and reject bodies that do not use the vocabulary with %s',
  async (_, vocabulary) => {
    const { outward } = createTranslator(vocabulary)
    const files = await platformFiles(readBundled(), { language: 'json-schema', vocabulary })
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const compiled = (path: string) =>
      ajv.compile(JSON.parse(files.find((file) => file.path === path)?.text ?? 'false'))
    const [strict, tolerant] = [
      compiled('notification.schema.json'),
      compiled('tolerant/notification.schema.json'),
    ]

    const wrong = EXAMPLES.filter(({ body }) => {
      const sent = outward(body)
      const isOther = JSON.stringify(sent) !== JSON.stringify(body)
      return !strict(sent) || !tolerant(sent) || (isOther && strict(body))
    })

    expect(wrong.map(({ name }) => name)).toEqual([])
  },
)

test('errors of the generated parser use the vocabulary', () => {
  const { outward } = createTranslator(EVERYTHING)
  const example = EXAMPLES.find(({ type }) => type === 'transactions')
  const body = { transactions: { ...Object(Object(outward(example?.body)).transactions), sort: 'barter' } }

  expect(everything.parseNotification(body)).toEqual({
    ok: false,
    errors: [
      {
        pointer: '/transactions',
        message: 'is of an unknown kind: sort "barter" with sort_method "bpay"',
      },
    ],
  })
})

const parameter = (name: string, value: string) => ({
  name,
  in: 'query',
  schema: { type: 'string', enum: [value] },
  example: value,
})

test('the OpenAPI document uses the vocabulary except in paths', async () => {
  const bundled = structuredClone(readBundled())
  Object.assign(bundled.paths?.['/items/{id}']?.get ?? {}, {
    parameters: [parameter('extwallet_state', 'extwallet'), parameter('state', 'extwallet')],
  })
  Object.assign(Object(bundled.webhooks?.['items']).post.requestBody.content['application/json'], {
    examples: { one: { value: { items: { extwallet_fee: 1, description: 'extwallet' } } } },
  })
  const [file] = await platformFiles(bundled, { language: 'openapi', vocabulary: EVERYTHING })
  const document = JSON.parse(file?.text ?? '')

  expect(document.paths['/items/{id}'].get.parameters).toEqual([
    parameter('pay2lane_phase', 'extwallet'),
    parameter('phase', 'pay2lane'),
  ])
  expect(document.webhooks.orders.post.requestBody.content['application/json'].examples).toEqual({
    one: { value: { orders: { pay2lane_fee: 1, description: 'extwallet' } } },
  })
  expect(document.components.schemas.Item.required).toContain('pay2lane_fee')
  expect(Object.keys(document.paths)).toEqual(Object.keys(bundled.paths ?? {}))
})

test.each([
  [
    { extwallet: 'bank' },
    '"extwallet_accounts" and "bank_accounts" of one object both become "bank_accounts"',
  ],
  [{ items: 'users' }, 'Cannot use the vocabulary: two types become "users"'],
  [{ extwallet: 'Bank' }, 'Cannot use vocabulary word "Bank"'],
])('platformFiles() rejects the vocabulary %j', async (vocabulary, message) => {
  await expect(platformFiles(readBundled(), { language: 'ts', vocabulary })).rejects.toThrow(message)
})
