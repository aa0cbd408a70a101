import { expect, test } from 'vitest'
import { createWorldTransports } from '../../../sandbox/compose/world-transports.ts'
import type { Exchange, Message } from '../../../sandbox/engine/core/ports.ts'

const ANSWERED: Exchange = {
  outcome: { kind: 'answered', status: 204, headers: [], body: new Uint8Array() },
  timings: { connectedMs: 1, answeredMs: 1, totalMs: 1 },
  flags: [],
}
const message = (url: string): Message => ({ url, headers: {}, body: new Uint8Array() })

/** A transport of four posts that answers when the test says so. */
function posting({
  isAlone = false,
  turn,
}: { readonly isAlone?: boolean; readonly turn?: Promise<void> } = {}) {
  const posted: string[] = []
  const answer = Promise.withResolvers<Exchange>()
  const transportOf = createWorldTransports({
    transport: {
      post({ url }) {
        posted.push(url)
        return answer.promise
      },
    },
    turns: { take: (world) => (world === 'waiting' ? turn : undefined) },
    mostPosts: 4,
    isAlone: () => isAlone,
  })
  return { posted, transportOf, answer: () => answer.resolve(ANSWERED) }
}

test('no world has all posts, so that another can send', async () => {
  const { posted, transportOf, answer } = posting()
  const [busy, quiet] = [transportOf('busy'), transportOf('quiet')]
  const sent = ['1', '2', '3', '4'].map((url) => busy.post(message(url), 1))
  const other = quiet.post(message('other'), 1)
  answer()
  expect(posted).toEqual(['1', '2', '3', 'other'])
  expect((await Promise.all(sent)).at(-1)?.outcome).toMatchObject({ reason: 'out_of_resources' })
  expect((await other).outcome).toMatchObject({ status: 204 })
})

test('a world that is alone has all of them, and waits for no turn', async () => {
  const { posted, transportOf } = posting({ isAlone: true, turn: new Promise(() => {}) })
  const only = transportOf('waiting')
  for (const url of ['1', '2', '3', '4']) void only.post(message(url), 1)
  expect(posted).toHaveLength(4)
})

test('a post beside as many as there may be lacks resources, and one after them is sent', async () => {
  const { transportOf, answer } = posting({ isAlone: true })
  const only = transportOf('only')
  const sent = ['1', '2', '3', '4'].map((url) => only.post(message(url), 1))

  const refused = await only.post(message('5'), 1)
  answer()
  await Promise.all(sent)

  expect(refused.outcome).toMatchObject({ kind: 'unanswered', reason: 'out_of_resources' })
  expect((await only.post(message('6'), 1)).outcome).toMatchObject({ status: 204 })
})

test('posts of one world are cut off, and those of another go on', async () => {
  const { posted, transportOf, answer } = posting({ turn: new Promise(() => {}) })
  const [a, b, waiting] = [transportOf('a'), transportOf('b'), transportOf('waiting')]
  const posts = [a, b, waiting].map((each) => each.post(message('1'), 1))
  a.cut()
  waiting.cut()
  answer()

  expect((await Promise.all(posts)).map(({ outcome }) => outcome)).toMatchObject([
    { kind: 'unanswered', reason: 'interrupted' },
    { status: 204 },
    { kind: 'unanswered', reason: 'interrupted' },
  ])
  expect((await a.post(message('2'), 1)).outcome).toMatchObject({ reason: 'interrupted' })
  expect((await b.post(message('3'), 1)).outcome).toMatchObject({ status: 204 })
  expect(posted).toEqual(['1', '1', '3'])
})

test('posts take their turns, too', async () => {
  const turn = Promise.withResolvers<void>()
  const { posted, transportOf, answer } = posting({ turn: turn.promise })
  const later = transportOf('waiting').post(message('later'), 1)
  void transportOf('free').post(message('now'), 1)
  expect(posted).toEqual(['now'])
  turn.resolve()
  answer()
  await later
  expect(posted).toEqual(['now', 'later'])
})
