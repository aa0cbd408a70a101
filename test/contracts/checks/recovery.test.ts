import { expect, test } from 'vitest'
import { recoveryChecks } from '../../../contracts/checks/recovery/recovery.ts'
import { careful } from '../support/careful.ts'
import { book, receiverOf, shown, trusting, type News } from '../support/careless.ts'
import type { Receive } from '../support/fake-bench.ts'
import { checkNamed, findingOf } from '../support/verdicts.ts'

const DAY_MS = 86_400_000

/** Takes what is older than a day for a replay. */
const suspicious = receiverOf(async (news) => {
  const object = await shown(news)
  if (!object) return { status: 503 }
  const [told, now] = [news.told, object].map((each) =>
    Date.parse(String(each['updated_at'] ?? each['updatedAt'])),
  )
  return (now ?? 0) - (told ?? 0) > DAY_MS ? { status: 422 } : book(news, object)
})

/** Keeps what it accepted in memory, and works on it when the next one comes. */
const procrastinating = (): Receive => {
  const waiting: News[] = []
  return receiverOf((news) => {
    waiting.push(news)
    return { status: 200 }
  })
}

/** Each check with a receiver that has just its defect, and what it is told of. */
const DEFECTS: readonly (readonly [id: string, make: () => Receive, expected: RegExp, actual: RegExp])[] = [
  [
    'recovery/down-for-the-whole-ladder',
    () => trusting({ backwards: true }),
    /believed to be successful, when direct-credit-payout is .* after an outage, then .* sent again by hand/,
    /believes the state bank_processing/,
  ],
  ['recovery/old-timestamps', () => suspicious, /an answer from 200 to 299/, /25 hours old was answered 422/],
  ['recovery/kill-after-answer', procrastinating, /one effect for .* accepted right before/, /no effect/],
]

test.each(recoveryChecks)('$id passes a careful receiver', async ({ id }) => {
  expect(await findingOf(checkNamed(recoveryChecks, id), { receive: careful })).toEqual({ kind: 'passed' })
})

test.each(DEFECTS)(
  '%s fails the receiver that it was written for',
  async (id, make, ...[expected, actual]) => {
    expect(await findingOf(checkNamed(recoveryChecks, id), { receive: make() })).toEqual({
      kind: 'failed',
      expected: expect.stringMatching(expected),
      actual: expect.stringMatching(actual),
    })
  },
)

test.each(recoveryChecks)('$id finds nobody where the receiver is gone', async ({ id }) => {
  const receive = () => ({ reason: 'connect_refused' })

  expect(await findingOf(checkNamed(recoveryChecks, id), { receive })).toMatchObject({ cause: 'unreachable' })
})

test('recovery/old-timestamps says what it did not see', async () => {
  const finding = await findingOf(checkNamed(recoveryChecks, 'recovery/old-timestamps'), {
    receive: careful,
    observe: { effects: false },
  })

  expect(finding).toMatchObject({
    kind: 'passed',
    unseen: expect.stringContaining('effects are not observable'),
  })
})

test.each(['recovery/down-for-the-whole-ladder', 'recovery/kill-after-answer'])(
  '%s sees nothing of a receiver that is told of no payment',
  async (id) => {
    expect(
      await findingOf(checkNamed(recoveryChecks, id), { receive: careful, types: ['companies'] }),
    ).toMatchObject({
      kind: 'not-observable',
    })
  },
)

test('recovery/down-for-the-whole-ladder fails a receiver that refuses what was sent again', async () => {
  const final = new Set<string>()
  const receive = receiverOf((news) => {
    const { id, told } = news
    if (told['state'] === 'successful') final.add(id)
    return final.has(id) && told['state'] !== 'successful' ? { status: 409 } : book(news, told)
  })

  expect(
    await findingOf(checkNamed(recoveryChecks, 'recovery/down-for-the-whole-ladder'), {
      receive,
      observe: { calls: false },
    }),
  ).toMatchObject({ kind: 'failed', actual: expect.stringContaining('sent again by hand was answered 409') })
})
