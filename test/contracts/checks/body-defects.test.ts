import { expect, test } from 'vitest'
import { readObject, toFields } from '../support/careful.ts'
import { believe, bodyOf, isTest, objectOf, refusing, scaled } from '../support/defects.ts'
import type { ContextOptions } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { defective, findingOf } from '../support/verdicts.ts'

const run = (name: string, options?: Partial<ContextOptions>) => findingOf(`body/${name}`, options)

/** Receiver defects that the kill matrix does not contain. */
const DEFECTS: readonly (readonly [check: string, defect: string, receive: Receive])[] = [
  [
    'payin-details',
    'that requires payin_details',
    defective(refusing(500, (object, { type }) => type === 'transactions' && !('payin_details' in object))),
  ],
  [
    'odd-ids',
    'that rejects numeric ids',
    defective(refusing(400, ({ id }, { type }) => type === 'accounts' && typeof id === 'number')),
  ],
  [
    'odd-ids',
    'that does not encode ids in paths',
    defective(async (request, desk) => {
      const { id } = objectOf(request)
      if (request.type !== 'users' || typeof id !== 'string') return undefined
      await desk.call(`/users/${encodeURIComponent(id.replace(/[+@]/g, ' '))}`)
      return { status: 200 }
    }),
  ],
  [
    'null-links',
    'that requires links.self',
    defective(refusing(500, (object) => toFields(object['links'])?.['self'] === null)),
  ],
  ['amounts', 'that truncates the cents of an amount', scaled(({ amount }) => Math.floor(amount / 100))],
  [
    'amounts',
    'that rejects amounts above 32 bits',
    defective(refusing(500, ({ amount }) => typeof amount === 'number' && amount > 2 ** 31 - 1)),
  ],
  [
    'long-and-foreign-text',
    'that rejects 4-byte UTF-8 characters',
    defective(refusing(500, (_, { body }) => /\p{Emoji_Presentation}/u.test(body))),
  ],
  [
    'other-spelling',
    'that requires id as the first key',
    defective(({ body }) =>
      /^\s*\{\s*"\w+"\s*:\s*\{\s*"id"/.test(body) || isTest(body) ? undefined : { status: 400 },
    ),
  ],
  [
    'unknown-states',
    'that treats an unknown state as success',
    defective((request, desk) => {
      const object = objectOf(request)
      if (object['state'] === 'awaiting_future_review')
        believe(request, desk, { ...object, state: 'successful' })
      return undefined
    }),
  ],
  [
    'unknown-type',
    'that responds to an unknown type with 500',
    defective((request) => ('payment_orders' in bodyOf(request) ? { status: 500 } : undefined)),
  ],
  [
    'other-type-on-url',
    'that reads the object type from the request URL',
    defective(async (request, desk) => {
      const object = toFields(bodyOf(request)['transactions'])
      if (request.type === 'disbursements' && object)
        await desk.call(`/disbursements/${String(object['id'])}`)
      return undefined
    }),
  ],
  [
    'broken-json',
    'that accepts invalid JSON',
    defective((request) => (readObject(request.body) ? undefined : { status: 200 })),
  ],
  [
    'broken-json',
    'that never responds to invalid JSON',
    defective((request) => (readObject(request.body) ? undefined : { reason: 'closed_without_response' })),
  ],
  [
    'broken-json',
    'that acts on the id in invalid JSON',
    defective(({ type, body }, { ledger }) => {
      const [, id] = /"id":"([^"]+)"/.exec(body) ?? []
      if (type && id !== undefined && !readObject(body))
        ledger.set(`${type} ${id}`, { effects: 1, state: 'successful' })
      return undefined
    }),
  ],
]

test.each(DEFECTS)('the check body/%s fails a receiver %s', async (name, _, receive) => {
  expect(await run(name, { receive })).toMatchObject({
    kind: 'failed',
    expected: expect.stringMatching(/./),
    actual: expect.stringMatching(/./),
  })
})
