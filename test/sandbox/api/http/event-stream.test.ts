import { expect, test } from 'vitest'
import { createEventStreams } from '../../../../sandbox/api/http/event-stream.ts'
import { createKeptEvents } from '../../../../sandbox/api/control/events.ts'
import { manualTime } from '../../../support/test-sandbox.ts'

/** Opens a stream of stored events for one reader. */
function streamed(signal: AbortSignal = new AbortController().signal) {
  const toGap = () => ({ type: 'gap' as const, at: '', data: {} })
  const kept = createKeptEvents('r', { format: () => undefined, toGap })
  const followers = new Set<unknown>()
  const realTime = manualTime()
  function follow(onMore: () => void) {
    const cursor = kept.follow('r-0', onMore)
    const { end } = cursor
    followers.add(cursor)
    return Object.assign(cursor, {
      end() {
        followers.delete(cursor)
        end()
      },
    })
  }
  const stream = { kind: 'stream', after: 'r-0', follow } as const
  const response = createEventStreams(realTime).open(stream, signal, () => {})
  const tell = (count: number, data: object) => {
    for (let index = 0; index < count; index++)
      kept.keep(() => ({ type: 'object', at: '', data: { ...data } }))
  }
  return { response, tell, followers, ...realTime }
}

const ofSize = (characters: number) => ({ text: 'x'.repeat(characters) })

test('an event stream drops a reader that never reads', async () => {
  const { response, tell, followers, waiting } = streamed()

  tell(51_000, ofSize(100))

  expect([followers.size, waiting()]).toEqual([0, 0])
  await expect(response.body.getReader().read()).rejects.toThrow('The reader of the events is too slow')
})

test('an event stream sends every event to a reader that starts to read late', async () => {
  const { response, tell } = streamed()
  tell(5_000, ofSize(100))
  const reader = response.body?.getReader()
  const ids: string[] = []
  while (ids.at(-1) !== 'id: r-5000') {
    const part = Buffer.from((await reader?.read())?.value ?? []).toString()
    ids.push(...(part.match(/^id: r-\d+$/gm) ?? []))
  }

  expect(ids).toEqual(Array.from({ length: 5_001 }, (_, index) => `id: r-${index}`))
})

test('an event stream keeps an active reader when the stream sends many events', async () => {
  const { response, tell, followers } = streamed()
  const reader = response.body?.getReader()

  for (let index = 0; index < 100; index++) {
    tell(1, ofSize(100_000))
    await reader?.read()
  }

  expect(followers.size).toBe(1)
})

test('an event stream sends heartbeats while nothing happens', async () => {
  const { response, tell, move } = streamed()
  move(15_000)
  move(15_000)
  tell(1, {})
  const reader = response.body?.getReader()
  const parts: string[] = []
  while (parts.length < 5) parts.push(Buffer.from((await reader?.read())?.value ?? []).toString())

  const alive = ': alive\n\n'
  expect(parts.slice(0, 4)).toEqual([alive, 'id: r-0\n\n', alive, alive])
  expect(parts[4]).toMatch(/^id: r-1\nevent: object\ndata: \{"id":"r-1","type":"object",.*\}\n\n$/)
})

test.each(['aborts', 'cancels', 'was gone before'])('an event stream ends if the reader %s', async (how) => {
  const caller = new AbortController()
  if (how === 'was gone before') caller.abort()
  const { response, followers, waiting } = streamed(caller.signal)

  if (how === 'aborts') caller.abort()
  if (how === 'cancels') await response.body?.cancel()

  expect([followers.size, waiting()]).toEqual([0, 0])
})
