import { expect, test } from 'vitest'
import type { HttpAnswer, HttpCall } from '../../../../sandbox/client/http-call.ts'
import { followSandbox, type StreamState } from '../../../../sandbox/dashboard/state/connection.ts'

const encoder = new TextEncoder()

function stream(...blocks: readonly string[]): HttpAnswer {
  async function* body() {
    for (const block of blocks) yield encoder.encode(`${block}\n\n`)
  }
  return { ok: true, status: 200, url: '', body: body(), json: async () => ({}) }
}

const place = (id: string) => `id: ${id}`
const event = (id: string, type = 'job') =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, at: '2026-01-01T00:00:00.000Z', data: {} })}`
const refusal: HttpAnswer = { ok: false, status: 401, url: '', body: null, json: async () => ({}) }

const after = (_: number, run: () => void) => {
  queueMicrotask(run)
  return () => {}
}

async function follow(...answers: readonly (HttpAnswer | Error)[]) {
  const left = [...answers]
  const asked: (string | undefined)[] = []
  const log: string[] = []
  const states: StreamState[] = []
  const delays: number[] = []
  const through: HttpCall = async (_, { headers }) => {
    asked.push(headers['last-event-id'])
    const answer = left.shift() ?? refusal
    if (answer instanceof Error) throw answer
    return answer
  }
  await followSandbox(
    { url: 'http://127.0.0.1:4011', token: 't' },
    {
      callTo: () => through,
      after(delayMs, run) {
        delays.push(delayMs)
        return after(delayMs, run)
      },
      signal: new AbortController().signal,
    },
    {
      onState: (state) => states.push(state),
      onGap: () => log.push('gap'),
      onEvent: ({ id }) => log.push(id),
    },
  )
  return { asked, log, states, delays }
}

test('an event follower gets a gap event at the start, after each disconnect and after a gap in the stream', async () => {
  const { log, asked } = await follow(
    stream(place('r-1'), event('r-2')),
    stream(place('r-2'), event('r-3')),
    stream(event('s-0', 'gap'), event('s-1')),
  )

  expect(log).toEqual(['gap', 'r-2', 'gap', 'r-3', 'gap', 's-1'])
  expect(asked).toEqual([undefined, 'r-2', 'r-3', 's-1'])
})

test('a disconnected stream reconnects with increasing delays', async () => {
  const gone = new Error('gone')
  const { states, delays } = await follow(stream(place('r-1')), gone, gone, gone, gone, gone, gone, gone)

  expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  expect([...new Set(states)]).toEqual(['connecting', 'live', 'cut', 'refused'])
})

test.each([401, 403])('the event stream ends in the state "refused" after status %i', async (status) => {
  const { asked, states } = await follow({ ...refusal, status })

  expect([asked.length, states.at(-1)]).toEqual([1, 'refused'])
})
