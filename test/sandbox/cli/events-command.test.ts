import { expect, test } from 'vitest'
import { followEvents } from '../../../sandbox/cli/events-command.ts'
import { RefusedError } from '../../../sandbox/client/requests.ts'
import { UnreachableError } from '../../../sandbox/client/unreachable.ts'

const FIRST = { url: 'http://first.test', token: 'a' }
const SECOND = { url: 'http://second.test', token: 'b' }

const block = (id: number, type = 'job') =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id: String(id), type, at: '', data: {} })}\n\n`

/** Returns a connection that sends `text`, then ends or fails. */
function saying(text: string, cut: 'ended' | 'broken' = 'ended'): () => Response {
  return () => {
    const body = new ReadableStream({
      pull(controller) {
        if (text !== '') controller.enqueue(Buffer.from(text))
        if (cut === 'ended') controller.close()
        else if (text === '') controller.error(new TypeError('terminated'))
        text = ''
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

function unreachable(): Response {
  throw new TypeError('fetch failed')
}

/** A control API that answers each connection with the next response from `answers`. */
function bench(...answers: readonly (() => Response)[]) {
  const stop = new AbortController()
  const asked: unknown[] = []
  const outages: string[] = []
  const left = [...answers]
  const call = ((url: string, init: { headers: Record<string, string> }) => {
    const { authorization, 'last-event-id': last } = init.headers
    asked.push([url, authorization, last])
    return new Promise((resolve) => resolve(left.shift()?.()))
  }) as unknown as typeof fetch
  const after = (_: number, run: () => void) => {
    if (left.length === 0) stop.abort()
    queueMicrotask(run)
    return () => {}
  }
  const follow = async (since?: string, find = () => FIRST) => {
    const told: string[] = []
    const options = { since, signal: stop.signal, onOutage: ({ message }: Error) => outages.push(message) }
    for await (const { id } of followEvents(find, options, { callTo: () => call, after })) told.push(id)
    return told
  }
  return { asked, outages, follow, stop }
}

test('followEvents() yields each event once when connections are lost', async () => {
  const { asked, outages, follow } = bench(
    saying(block(1) + block(2)),
    saying(`${block(3)}id: 4\ndata: {"to`, 'broken'),
    saying(block(4)),
  )

  const told = await follow()

  expect(told).toEqual(['1', '2', '3', '4'])
  expect(asked).toEqual([
    ['http://first.test/control/events', 'Bearer a', undefined],
    ['http://first.test/control/events', 'Bearer a', '2'],
    ['http://first.test/control/events', 'Bearer a', '3'],
  ])
  expect(outages).toEqual([])
})

test('followEvents() starts at the specified ID and remembers the ID of a message without data', async () => {
  const { asked, follow } = bench(saying('id: 5\n\n'), saying(''))

  await follow('0')

  expect(asked.map((each) => (each as string[])[2])).toEqual(['0', '5'])
})

test('followEvents() waits for a sandbox that restarts at another address and reports the outage once', async () => {
  const { asked, outages, follow } = bench(
    saying(block(1)),
    unreachable,
    unreachable,
    saying(block(1, 'gap')),
  )
  const addresses = [FIRST, FIRST, FIRST, SECOND]

  const told = await follow(undefined, () => addresses.shift() ?? SECOND)

  expect([told, outages]).toEqual([['1', '1'], [expect.stringContaining('http://first.test')]])
  expect(asked.at(-1)).toEqual(['http://second.test/control/events', 'Bearer b', '1'])
})

test('followEvents() waits while no sandbox of the data folder is running', async () => {
  const { follow } = bench(saying(block(1)), saying(block(2)))
  const found = [
    () => FIRST,
    () => {
      throw new UnreachableError('find one', { code: 'no_sandbox', state: 'none runs', hint: '' })
    },
    () => FIRST,
  ]

  expect(await follow(undefined, () => (found.shift() ?? (() => FIRST))())).toEqual(['1', '2'])
})

test('followEvents() does not wait when the sandbox was never reachable', async () => {
  await expect(bench(unreachable).follow()).rejects.toThrow(UnreachableError)
})

test.each([
  ['of the first connection', []],
  ['after a lost connection', [saying(block(1))]],
])('followEvents() ends after a rejection %s', async (_, before) => {
  const error = { code: 'unauthorized', message: 'The token is not the token of this sandbox' }
  const { follow } = bench(...before, () => Response.json({ error }, { status: 401 }))

  await expect(follow()).rejects.toThrow(RefusedError)
})

test('followEvents() throws an error when the stream contains data that is not JSON', async () => {
  await expect(bench(saying('data: nope\n\n')).follow()).rejects.toThrow(/"nope" is not JSON\. Use/)
})

test('followEvents() ends in the middle of a stream when the caller aborts', async () => {
  const { asked, stop } = bench()
  const call = (async () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from(block(1))),
        pull: (controller) => {
          stop.signal.addEventListener('abort', () =>
            controller.error(new DOMException('stopped', 'AbortError')),
          )
        },
      }),
    )) as unknown as typeof fetch
  const told: string[] = []

  const options = { signal: stop.signal, onOutage: () => {} }
  const ports = { callTo: () => call, after: () => () => {} }
  for await (const { id } of followEvents(() => FIRST, options, ports)) {
    told.push(id)
    stop.abort()
  }

  expect([told, asked]).toEqual([['1'], []])
})
