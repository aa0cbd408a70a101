import { expect, test } from 'vitest'
import { careful, readObject, subjectOf } from '../support/careful.ts'
import { objectOf } from '../support/defects.ts'
import type { ContextOptions } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { checksOf, answering, defective, findingOf, type Defect } from '../support/verdicts.ts'

const run = (name: string, options?: Partial<ContextOptions>) => findingOf(`body/${name}`, options)

test.each(['companies', 'items', 'users', 'disbursements', 'virtual_accounts'])(
  'no body check fails a receiver that rejects every %s notification',
  async (refused) => {
    const receive = defective(({ type }) => (type === refused ? { status: 422 } : undefined))
    const failing = []
    for (const check of checksOf('body'))
      if ((await findingOf(check, { receive })).kind === 'failed') failing.push(check.id)

    expect(failing).toEqual(refused === 'virtual_accounts' ? ['body/flat-virtual-accounts'] : [])
  },
)

const HABITS: readonly (readonly [habit: string, leaves: () => Defect])[] = [
  [
    'never acts on wallet transfers',
    () => (request) =>
      objectOf(request)['type_method'] === 'wallet_account_transfer' ? { status: 200 } : undefined,
  ],
]

test.each(HABITS)('the null-field checks do not fail a receiver that %s', async (_, leaves) => {
  const kinds = await Promise.all(
    ['nulls', 'null-links'].map(async (name) => (await run(name, { receive: defective(leaves()) })).kind),
  )

  expect(kinds.filter((kind) => kind === 'failed')).toEqual([])
})

const WITH_EFFECTS = ['unknown-fields', 'extended-batch-transactions', 'amounts', 'other-spelling']

test.each(WITH_EFFECTS)('the check %s is not observable when a receiver only answers 200', async (name) => {
  expect(await run(name, { receive: answering(200) })).toMatchObject({
    kind: 'inconclusive',
    cause: 'control-failed',
    why: expect.stringMatching(
      /^the receiver does not act once on an ordinary notification either: expected one effect .*, got no effect/,
    ),
  })
})

test.each([
  ...WITH_EFFECTS.filter((name) => name !== 'amounts'),
  'unknown-states',
  'unknown-type',
  'broken-json',
])('without effects, the check %s judges only responses and lists effects as unobserved', async (name) => {
  expect(await run(name, { observe: { effects: false } })).toEqual({
    kind: 'passed',
    unobserved: 'the effects of the receiver, because the configuration has no "effects"',
  })
})

test.each([
  ['amount', { kind: 'not-observable' }],
  ['currency', { kind: 'passed', unobserved: 'the currency, which the effects of the receiver do not show' }],
] as const)('the check "amounts" does not observe the %s when no effect has it', async (field, finding) => {
  const receive: Receive = async (request, desk) => {
    const reply = await careful(request, desk)
    for (const [target, { [field]: _, ...rest }] of desk.ledger) desk.ledger.set(target, rest)
    return reply
  }

  expect(await run('amounts', { receive })).toMatchObject(finding)
})

test('the check "amounts" expects no effect for a zero amount', async () => {
  const receive = defective(({ body }) => (body.includes('"amount":0') ? { status: 200 } : undefined))

  expect(await run('amounts', { receive })).toEqual({ kind: 'passed' })
})

test('the check "odd-ids" passes a receiver that never calls the service', async () => {
  const receive: Receive = () => ({ status: 200 })

  expect(await run('odd-ids', { receive })).toEqual({
    kind: 'passed',
    unobserved: 'the receiver does not ask the service about users, accounts',
  })
})

test('the check "unknown-states" accepts an effect when a payment succeeds with an unknown payment method', async () => {
  const acted: string[] = []
  const receive = defective((request, desk) => {
    const { id, state, type_method } = objectOf(request)
    if (type_method !== 'future_rail') return undefined
    acted.push(String(id))
    desk.ledger.set(`${request.type} ${String(id)}`, { effects: 1, state: String(state) })
    return { status: 200 }
  })

  expect([await run('unknown-states', { receive }), acted.length > 0]).toEqual([{ kind: 'passed' }, true])
})

test('the check "other-type-on-url" is not observable when one URL serves all types', async () => {
  expect(await run('other-type-on-url', { template: 'https://receiver.test/all' })).toMatchObject({
    kind: 'not-observable',
    why: 'the receiver has one URL for all types',
  })
})

test('the service returns each object with the content of its crafted notification body', async () => {
  const differing: string[] = []
  const receive = defective(async (request, desk) => {
    const subject = subjectOf(readObject(request.body) ?? {})
    if (!subject || subject.type === 'virtual_accounts') return undefined
    const { body } = await desk.call(`/${subject.type}/${encodeURIComponent(subject.id)}`)
    if (body !== request.body) differing.push(request.body)
    return undefined
  })

  for (const name of ['unknown-fields', 'nulls', 'null-links', 'unknown-states', 'amounts', 'odd-ids'])
    await run(name, { receive })

  expect(differing).toEqual([])
})
