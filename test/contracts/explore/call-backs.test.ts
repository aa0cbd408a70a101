import { expect, test } from 'vitest'
import { setImmediate as turn } from 'node:timers/promises'
import { failCallBack } from '../../../contracts/explore/call-backs.ts'
import type { CheckContext } from '../../../contracts/toolkit/check-context.ts'
import { careful } from '../support/careful.ts'
import { openContext } from '../support/check-context.ts'

/** Opens a context whose clock advances with each pause. */
async function pausing(): Promise<CheckContext> {
  let now = 0
  return {
    ...(await openContext({ receive: careful })),
    elapsed: () => now,
    async pause(ms) {
      now += ms
      await turn()
    },
  }
}

test('failCallBack() ends a long service outage before the test case ends', async () => {
  const context = await pausing()
  const message = await context.service.create('items')
  await failCallBack(context, message, 'unavailable-for-a-while')

  const statuses: (number | null)[] = []
  while (statuses.length < 1_000 && statuses.at(-1) !== 200) {
    statuses.push((await context.send(message)).status)
    await turn()
  }

  expect([statuses.slice(0, 4), statuses.at(-1)]).toEqual([[503, 503, 503, 503], 200])
})
