import { expect, test } from 'vitest'
import { paymentKinds } from '../../../spec/payments.ts'
import { careful } from './careful.ts'
import { fakeContext } from './fake-context.ts'

test.each(paymentKinds)('fakeContext() plays %s to a careful receiver, which acts once', async (kind) => {
  const context = await fakeContext({ receive: careful })
  const play = await context.service.play(kind)
  await play.finish()
  const sent = []
  for (const message of play.messages) sent.push((await context.send(message)).status)

  expect(sent.every((status) => status === 200)).toBe(true)
  expect(await context.effects.read(play.consequence ?? { type: 'items', id: '' })).toMatchObject({
    effects: 1,
  })
})

test('fakeContext() records what the receiver asks the service', async () => {
  const context = await fakeContext({ receive: careful })
  const play = await context.service.play('npp-payin')
  const [message] = await play.finish()
  if (message) await context.send(message)

  expect(await context.calls.about({ type: 'transactions', id: message?.id ?? '' })).toMatchObject([
    { status: 200 },
  ])
  expect(await context.calls.strays()).toEqual([])
})
