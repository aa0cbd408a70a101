import { expect, test } from 'vitest'
import { withCut } from '../../../sandbox/compose/cut-transport.ts'
import type { Exchange, Message } from '../../../sandbox/engine/core/ports.ts'

const MESSAGE: Message = { url: 'https://receiver.test/', headers: {}, body: new Uint8Array() }
const ANSWERED: Exchange = {
  outcome: { kind: 'answered', status: 204, headers: [], body: new Uint8Array() },
  timings: { connectedMs: 1, answeredMs: 2, totalMs: 3 },
  flags: [],
}

test('posts of one world are cut off, and those of another go on', async () => {
  const answer = Promise.withResolvers<Exchange>()
  const transport = { post: () => answer.promise }
  const [a, b] = [withCut(transport), withCut(transport)]
  const posts = [a.post(MESSAGE, 1), b.post(MESSAGE, 1)]
  a.cut()
  answer.resolve(ANSWERED)
  const outcomes = (await Promise.all(posts)).map(({ outcome }) => outcome)
  expect(outcomes).toMatchObject([{ kind: 'unanswered', reason: 'interrupted' }, { status: 204 }])
  expect((await a.post(MESSAGE, 1)).outcome).toMatchObject({ reason: 'interrupted' })
  expect((await b.post(MESSAGE, 1)).outcome).toMatchObject({ status: 204 })
})
