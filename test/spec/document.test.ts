import { sample } from 'fast-check'
import { expect, test } from 'vitest'
import { notificationsOf } from '../../spec/arbitraries.ts'
import { examples } from '../../spec/examples.ts'
import { notifiedTypes } from '../../spec/notifications.ts'
import { paymentForms, paymentKinds, paymentOutcomes } from '../../spec/payments.ts'
import { parseNotification } from '../../spec/parse-notification.ts'
import { BATCH_CODES, ITEM_CODES, PAYOUT_STATES, problemsOf } from '../support/document-problems.ts'
import { RECEIVER, testSandbox } from '../support/test-sandbox.ts'

// What is drawn, kept as golden, and sent is as the document says; what contradicts it is refused. Ten thousand of each type
// are drawn by test/end-to-end/drawn-bodies.test.ts.

test.each(notifiedTypes)('500 drawn bodies of %s are as the document says', (type) => {
  const bodies = sample<object>(notificationsOf(type), { numRuns: 500 })

  expect(bodies.flatMap((body) => problemsOf(type, body).map((problem) => ({ problem, body })))).toEqual([])
})

test.each(examples)('the golden body $name is as the document says', ({ type, body }) => {
  expect(problemsOf(type, body)).toEqual([])
})

const plays = paymentKinds.flatMap((kind) =>
  paymentOutcomes(kind).flatMap((outcome) => [
    { kind, outcome },
    ...paymentForms(kind).map((via) => ({ kind, outcome, via })),
  ]),
)

test.each(plays)('whatever is sent when %j is played is as the document says', async (play) => {
  const sandbox = testSandbox({ readings: { 'accompanying-notifications': 'all' } })
  for (const object_type of notifiedTypes)
    await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type })
  const registered = sandbox.transport.messages.length

  await sandbox.control('POST', '/payments', play)
  await sandbox.idle()

  const sent = sandbox.transport.messages
    .slice(registered)
    .map(({ body }): object => JSON.parse(Buffer.from(body).toString()))
  const problems = sent.flatMap((body) => {
    const [type = ''] = Object.keys(body).length === 1 ? Object.keys(body) : ['virtual_accounts']
    return problemsOf(type, body).map((problem) => ({ problem, body }))
  })
  expect(problems).toEqual([])
  expect(sent.length).toBeGreaterThan(0)
})

const changed = (type: string, body: object, fields: object) => ({
  [type]: { ...Object(Reflect.get(body, type)), ...fields },
})

const PAIRS = [
  ['items', 'status', ITEM_CODES],
  ['batch_transactions', 'status', BATCH_CODES],
  ['disbursements', 'npp_payout_state', PAYOUT_STATES],
] as const

test.each(PAIRS)(
  'a body of %s with the %s of another state is refused, naming both',
  (type, field, valueByState) => {
    const bodies = examples.flatMap((golden) => (golden.type === type ? [golden.body] : []))
    const refused = bodies.flatMap((body) => {
      const state = String(Reflect.get(Object(Reflect.get(body, type)), 'state'))
      const others = Object.values(valueByState).filter((value) => value !== valueByState[state])
      return others.map((value) => [
        parseNotification(changed(type, body, { [field]: value })),
        `is ${JSON.stringify(value)}, not ${JSON.stringify(valueByState[state])} where "state" is "${state}"`,
      ])
    })

    expect(refused.map(([parsed]) => parsed)).toEqual(
      refused.map(([, message]) => ({ ok: false, errors: [{ pointer: `/${type}/${field}`, message }] })),
    )
    expect(refused.length).toBeGreaterThanOrEqual(bodies.length * 2)
  },
)

const wrapped = examples.filter(({ type, body }) => {
  const links: unknown = Reflect.get(Object(Reflect.get(body, type)), 'links')
  return typeof Reflect.get(Object(links), 'self') === 'string'
})

test.each(wrapped)('$name with the path of another object is refused', ({ type, body }) => {
  const object: object = Object(Reflect.get(body, type))
  const links = { ...Object(Reflect.get(object, 'links')), self: `/${type}/4c1a` }

  expect(parseNotification(changed(type, body, { links }))).toEqual({
    ok: false,
    errors: [
      {
        pointer: `/${type}/links/self`,
        message: `is "/${type}/4c1a", not "/${type}/${String(Reflect.get(object, 'id'))}"`,
      },
    ],
  })
})
