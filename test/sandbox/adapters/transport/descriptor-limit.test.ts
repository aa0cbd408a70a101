import { expect, test } from 'vitest'
import { limitPosts, mostPosts } from '../../../../sandbox/adapters/transport/descriptor-limit.ts'
import { scriptedTransport } from '../../../support/scripted-transport.ts'

const MESSAGE = { url: 'https://localhost/', headers: {}, body: new Uint8Array() }

test.each([
  [64, 16],
  [1_024, 736],
  [1_048_576, 1_048_288],
  [1, 1],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('of %d descriptors deliveries take %d', (limit, most) => {
  expect(mostPosts(limit)).toBe(most)
})

test('a post beside as many as there may be lacks resources, and one after them is sent', async () => {
  const answer = Promise.withResolvers<number>()
  const transport = limitPosts(
    scriptedTransport(() => answer.promise),
    2,
  )
  const first = [transport.post(MESSAGE, 1_000), transport.post(MESSAGE, 1_000)]

  const refused = await transport.post(MESSAGE, 1_000)
  answer.resolve(200)
  await Promise.all(first)
  const sent = await transport.post(MESSAGE, 1_000)

  expect(refused.outcome).toMatchObject({ kind: 'unanswered', reason: 'out_of_resources' })
  expect(sent.outcome).toMatchObject({ kind: 'answered', status: 200 })
  expect(transport.messages.length).toBe(3)
})
