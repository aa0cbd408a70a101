import { expect, test } from 'vitest'
import { readObject, toFields } from '../support/careful.ts'
import { believe, bodyOf, isTest, objectOf, refusing, scaled } from '../support/defects.ts'
import type { ContextOptions } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { defective, findingOf } from '../support/verdicts.ts'

const run = (name: string, options?: Partial<ContextOptions>) => findingOf(`body/${name}`, options)

/** Defects that the kill matrix lacks. */
const DEFECTS: readonly (readonly [check: string, defect: string, receive: Receive])[] = [
  [
    'unknown-fields',
    'silence about what is not known',
    defective((request) => ('future_text' in objectOf(request) ? { status: 200 } : undefined)),
  ],
  [
    'payin-details',
    'a key in any case',
    defective(refusing(500, (object, { type }) => type === 'transactions' && !('payin_details' in object))),
  ],
  [
    'odd-ids',
    'ids that are text',
    defective(refusing(400, ({ id }, { type }) => type === 'accounts' && typeof id === 'number')),
  ],
  [
    'odd-ids',
    'a path without encoding',
    defective(async (request, desk) => {
      const { id } = objectOf(request)
      if (request.type !== 'users' || typeof id !== 'string') return undefined
      await desk.call(`/users/${encodeURIComponent(id.replace(/[+@]/g, ' '))}`)
      return { status: 200 }
    }),
  ],
  [
    'extended-batch-transactions',
    'deafness to whom it does not find by number',
    defective((request) =>
      request.type === 'batch_transactions' && typeof objectOf(request)['id'] === 'number'
        ? { status: 200 }
        : undefined,
    ),
  ],
  [
    'null-links',
    'a link to itself in any case',
    defective(refusing(500, (object) => toFields(object['links'])?.['self'] === null)),
  ],
  [
    'flat-virtual-accounts',
    'times in UTC alone',
    defective(refusing(400, ({ updatedAt = 'Z' }) => !/(Z|\+00:00)$/.test(String(updatedAt)))),
  ],
  ['amounts', 'amounts in dollars', scaled(({ amount }) => Math.floor(amount / 100))],
  [
    'amounts',
    'yen without cents',
    scaled(({ amount, currency }) => (currency === 'JPY' ? amount * 100 : amount)),
  ],
  [
    'amounts',
    'a limit',
    defective(refusing(500, ({ amount }) => typeof amount === 'number' && amount > 2 ** 31 - 1)),
  ],
  [
    'long-and-foreign-text',
    'columns of three bytes',
    defective(refusing(500, (_, { body }) => /\p{Emoji_Presentation}/u.test(body))),
  ],
  [
    'other-spelling',
    'a look at the first key',
    defective(({ body }) =>
      /^\s*\{\s*"\w+"\s*:\s*\{\s*"id"/.test(body) || isTest(body) ? undefined : { status: 400 },
    ),
  ],
  [
    'unknown-states',
    'every state for success',
    defective((request, desk) => {
      const object = objectOf(request)
      if (object['state'] === 'awaiting_future_review')
        believe(request, desk, { ...object, state: 'successful' })
      return undefined
    }),
  ],
  [
    'unknown-states',
    'two effects of a deposit that came some other way',
    defective((request, desk) => {
      const { id, state, type_method } = objectOf(request)
      if (type_method !== 'future_rail') return undefined
      desk.ledger.set(`${request.type} ${String(id)}`, { effects: 2, state: String(state) })
      return { status: 200 }
    }),
  ],
  [
    'unknown-type',
    'a crash',
    defective((request) => ('payment_orders' in bodyOf(request) ? { status: 500 } : undefined)),
  ],
  [
    'other-type-on-url',
    'the URL for the type, though it asks back',
    defective(async (request, desk) => {
      const object = toFields(bodyOf(request)['transactions'])
      if (request.type === 'disbursements' && object)
        await desk.call(`/disbursements/${String(object['id'])}`)
      return undefined
    }),
  ],
  [
    'other-spelling',
    'a colon right after each key',
    defective(({ body }) => (/"id"(?!:)/.test(body) ? { status: 400 } : undefined)),
  ],
  [
    'broken-json',
    'a yes to everything',
    defective((request) => (readObject(request.body) ? undefined : { status: 200 })),
  ],
  [
    'broken-json',
    'a wait for the rest',
    defective((request) => (readObject(request.body) ? undefined : { status: 400, tookMs: 6_000 })),
  ],
  [
    'broken-json',
    'no answer at all',
    defective((request) => (readObject(request.body) ? undefined : { reason: 'closed_without_response' })),
  ],
  [
    'broken-json',
    'a look for the id',
    defective(({ type, body }, { ledger }) => {
      const [, id] = /"id":"([^"]+)"/.exec(body) ?? []
      if (type && id !== undefined && !readObject(body))
        ledger.set(`${type} ${id}`, { effects: 1, state: 'successful' })
      return undefined
    }),
  ],
]

test.each(DEFECTS)('%s fails a receiver with %s', async (name, _, receive) => {
  expect(await run(name, { receive })).toMatchObject({
    kind: 'failed',
    expected: expect.stringMatching(/./),
    actual: expect.stringMatching(/./),
  })
})
