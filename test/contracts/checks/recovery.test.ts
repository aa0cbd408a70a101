import { expect, test } from 'vitest'
import { book, receiverOf } from '../support/careless.ts'
import { findingOf } from '../support/verdicts.ts'

test('recovery/old-timestamps reports effects that were not observed', async () => {
  const finding = await findingOf('recovery/old-timestamps', {
    observe: { effects: false },
  })

  expect(finding).toMatchObject({
    kind: 'passed',
    unobserved: expect.stringContaining(
      'the effects of the receiver, because the configuration has no "effects"',
    ),
  })
})

test.each(['recovery/resent-after-outage', 'recovery/kill-after-answer'])(
  '%s is not observable when the receiver gets no payments',
  async (id) => {
    expect(await findingOf(id, { types: ['companies'] })).toMatchObject({
      kind: 'not-observable',
    })
  },
)

test('recovery/resent-after-outage fails a receiver that rejects resent notifications', async () => {
  const final = new Set<string>()
  const receive = receiverOf((news) => {
    const { id, claimed } = news
    if (claimed['state'] === 'successful') final.add(id)
    return final.has(id) && claimed['state'] !== 'successful' ? { status: 409 } : book(news, claimed)
  })

  expect(
    await findingOf('recovery/resent-after-outage', {
      receive,
      observe: { calls: false },
    }),
  ).toMatchObject({ kind: 'failed', actual: expect.stringContaining('sent again by hand was answered 409') })
})
