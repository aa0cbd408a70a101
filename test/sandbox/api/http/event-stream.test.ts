import { expect, test } from 'vitest'
import { createEventStreams } from '../../../../sandbox/api/http/event-stream.ts'
import type { RealTime } from '../../../../sandbox/engine/core/ports.ts'
import { createSignal } from '../../../../sandbox/engine/core/signal.ts'
import { manualTime } from '../../../support/test-sandbox.ts'

interface Told {
  readonly id: string
  readonly type: string
  readonly data: unknown
}

/** The maximum number of pending events of a reader. */
const MOST_BEHIND = 50_000

function streamed(signal: AbortSignal = new AbortController().signal) {
  const happened: Told[] = []
  const more = createSignal<void>()
  const [followers, timers] = [new Set<unknown>(), new Set<unknown>()]
  const manual = manualTime()
  const realTime: RealTime = {
    ...manual,
    after(delayMs, run) {
      const timer = {}
      timers.add(timer)
      const cancel = manual.after(delayMs, () => {
        timers.delete(timer)
        run()
      })
      return () => {
        timers.delete(timer)
        cancel()
      }
    },
  }
  const response = createEventStreams(realTime).open(
    {
      kind: 'stream',
      after: 'r-start',
      follow(onMore) {
        followers.add(onMore)
        const unsubscribe = more.subscribe(onMore)
        let place = 0
        const isLost = () => happened.length - place > MOST_BEHIND
        return {
          get isLost() {
            return isLost()
          },
          next: () => (isLost() || place === happened.length ? undefined : happened[place++]),
          end() {
            followers.delete(onMore)
            unsubscribe()
          },
        }
      },
    },
    signal,
    () => {},
  )
  const tell = (count: number, size: number, data: unknown = 'x'.repeat(size)) => {
    for (let index = 0; index < count; index++) {
      happened.push({ id: `r-${index}`, type: 'object', data })
      more.emit()
    }
  }
  return { response, tell, followers, timers, move: manual.move }
}

test('an event stream drops a reader that never reads', async () => {
  const { response, tell, followers, timers } = streamed()

  tell(51_000, 100)

  expect([followers.size, timers.size]).toEqual([0, 0])
  await expect(response.body.getReader().read()).rejects.toThrow('The reader is too slow')
})

test('an event stream serializes few events for a reader that does not read', () => {
  const { tell, followers } = streamed()
  let made = 0
  const data = { toJSON: () => ((made += 1), 'x'.repeat(1_000)) }

  for (let index = 0; index < 10_000; index++) tell(1, 0, data)

  expect(followers.size).toBe(1)
  expect(made).toBeLessThan(100)
})

test('an event stream sends every event to a late reader', async () => {
  const { response, tell } = streamed()
  tell(5_000, 100)
  const reader = response.body?.getReader()
  const ids: string[] = []
  while (ids.at(-1) !== 'id: r-4999') {
    const part = Buffer.from((await reader?.read())?.value ?? []).toString()
    ids.push(...(part.match(/^id: r-\d+$/gm) ?? []))
  }

  expect(ids).toEqual(Array.from({ length: 5_000 }, (_, index) => `id: r-${index}`))
})

test('an event stream keeps an active reader under many events', async () => {
  const { response, tell, followers } = streamed()
  const reader = response.body?.getReader()

  for (let index = 0; index < 100; index++) {
    tell(1, 100_000)
    await reader?.read()
  }

  expect(followers.size).toBe(1)
})

test('an event stream sends heartbeats while nothing happens', async () => {
  const { response, tell, move } = streamed()
  move(15_000)
  move(15_000)
  tell(1, 1)
  const reader = response.body?.getReader()
  const parts: string[] = []
  while (parts.length < 5) parts.push(Buffer.from((await reader?.read())?.value ?? []).toString())

  expect(parts).toEqual([
    ': alive\n\n',
    'id: r-start\n\n',
    ': alive\n\n',
    ': alive\n\n',
    'id: r-0\nevent: object\ndata: {"id":"r-0","type":"object","data":"x"}\n\n',
  ])
})

test.each(['aborts', 'cancels', 'was gone before'])(
  'an event stream ends when the reader %s',
  async (how) => {
    const caller = new AbortController()
    if (how === 'was gone before') caller.abort()
    const { response, followers, timers } = streamed(caller.signal)

    if (how === 'aborts') caller.abort()
    if (how === 'cancels') await response.body?.cancel()

    expect([followers.size, timers.size]).toEqual([0, 0])
  },
)
