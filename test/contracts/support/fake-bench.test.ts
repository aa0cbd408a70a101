import { expect, test } from 'vitest'
import { paymentKinds } from '../../../spec/payments.ts'
import { careful } from './careful.ts'
import { fakeBench } from './fake-bench.ts'

test.each(paymentKinds)('fakeBench() plays %s to a careful receiver, which acts once', async (kind) => {
  const bench = await fakeBench({ receive: careful })
  const play = await bench.world.play(kind)
  await play.finish()
  const sent = []
  for (const notice of play.notices) sent.push((await bench.send(notice)).status)

  expect(sent.every((status) => status === 200)).toBe(true)
  expect(await bench.effects.read(play.consequence ?? { type: 'items', id: '' })).toMatchObject({
    effects: 1,
  })
})

test('fakeBench() records what the receiver asks the service', async () => {
  const bench = await fakeBench({ receive: careful })
  const play = await bench.world.play('npp-payin')
  const [notice] = play.notices
  if (notice) await bench.send(notice)

  expect(await bench.calls.about({ type: 'transactions', id: notice?.id ?? '' })).toMatchObject([
    { status: 200 },
  ])
  expect(await bench.calls.strays()).toEqual([])
})
