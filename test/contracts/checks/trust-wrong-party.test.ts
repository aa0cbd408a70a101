import { expect, test } from 'vitest'
import { toFields } from '../support/careful.ts'
import { book, receiverOf, shown } from '../support/careless.ts'
import { checkNamed, findingOf } from '../support/verdicts.ts'

const telling = (tell: (object: Readonly<Record<string, unknown>>) => object) =>
  receiverOf(async (news) => {
    const object = await shown(news)
    const told = { user_id: undefined, account_id: undefined, ...(object && tell(object)) }
    return object ? book(news, { ...object, ...told }) : { status: 503 }
  })

test('the check trust/wrong-party is not observable when effects contain no user and no account', async () => {
  const receive = telling(() => ({}))

  expect(await findingOf('trust/wrong-party', { receive })).toEqual({
    kind: 'not-observable',
    why: 'the effects show no user and no account. Add user_id and account_id',
  })
})

test('the check trust/wrong-party names the missing field when effects have no user or no account', async () => {
  const users = telling(({ user_id }) => ({ user_id }))
  const own = telling(({ user_id }) => ({ user_id, account_id: 'mine-7' }))
  const check = checkNamed('trust/wrong-party')

  expect([
    await findingOf(check, { receive: users }),
    await findingOf(check, { receive: own }),
  ]).toMatchObject([
    { kind: 'passed', unobserved: expect.stringContaining('the account_id of the effects') },
    {
      kind: 'passed',
      unobserved: expect.stringContaining('the account_id of the effects, which is not an id of the service'),
    },
  ])
})

/** A shop with a URL for items only. The shop reads which seller to pay from the notification body or from the service. */
const paying = (from: 'body' | 'service') =>
  receiverOf(async (news) => {
    const object = await shown(news)
    if (!object) return { status: 503 }
    const related = toFields((from === 'body' ? news.claimed : object)['related'])
    const isDue = () => object['state'] === 'completed'
    return book(news, { ...object, user_id: related?.['sellers'] }, { isDue })
  })

test.each([
  ['body', 'failed'],
  ['service', 'passed'],
] as const)('a shop that pays the seller from the %s gets the verdict %s', async (from, kind) => {
  const consequences = { 'card-payin': { object_type: 'items', state: 'completed' } } as const

  const finding = await findingOf('trust/wrong-party', {
    receive: paying(from),
    types: ['items'],
    profile: { consequences },
  })

  expect(finding).toMatchObject({ kind })
})
