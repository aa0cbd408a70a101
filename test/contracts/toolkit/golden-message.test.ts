import { expect, test } from 'vitest'
import { goldenMessages, oneExamplePerType } from '../../../contracts/toolkit/golden-message.ts'
import { openContext } from '../support/check-context.ts'

test('goldenMessages() gives accounts numbers that the service never draws', async () => {
  const context = await openContext({ receive: () => ({ status: 200 }) })

  const messages = await goldenMessages(
    context,
    Array(8)
      .fill(oneExamplePerType(['accounts']))
      .flat(),
  )

  const numbers = messages.map(({ body }) => Number(JSON.parse(body).accounts.id))
  expect(numbers.filter((number) => number < 9_000_000)).toEqual([])
  expect(new Set(numbers).size).toBe(8)
})
