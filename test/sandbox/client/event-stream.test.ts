import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEventStream, type StreamBlock } from '../../../sandbox/client/event-stream.ts'

async function read(...chunks: readonly (string | Uint8Array)[]) {
  const events: StreamBlock[] = []
  const bytes = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  for await (const event of readEventStream(bytes)) events.push(event)
  return events
}

test.each([
  ['an event', 'id: 7\nevent: job\ndata: {}\n\n', [{ lastId: '7', data: '{}' }]],
  ['an ID without data', 'id: 9\n\n', [{ lastId: '9', data: null }]],
  ['an id with a NUL', 'id: 1\0\ndata: a\n\n', [{ lastId: '', data: 'a' }]],
  ['nothing', '', []],
  ['a truncated block', 'id: 1\ndata: a\n\nid: 2\ndata: b\n', [{ lastId: '1', data: 'a' }]],
])('readEventStream() parses %s', async (_, text, events) => {
  expect(await read(text)).toEqual(events)
})

test('readEventStream() keeps the last id until an empty id arrives', async () => {
  const events = await read('id: 7\ndata: a\n\ndata: b\n\nid\n\n')

  expect(events.map(({ lastId }) => lastId)).toEqual(['7', '7', ''])
})

const TEXT = ': é\r\nid: 1\r\ndata: "ü€😀"\r\n\r\nevent: job\rdata: a\rdata: b\r\rid: 3\ndata: c\n\n'

test('readEventStream() reads the same events, however the stream is divided into chunks', async () => {
  const bytes = Buffer.from(TEXT)
  const whole = await read(TEXT)

  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
      const ends = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
      const chunks = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end))
      expect(await read(...chunks)).toEqual(whole)
    }),
  )
  expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole)
  expect(whole.map(({ data }) => data)).toEqual(['"ü€😀"', 'a\nb', 'c'])
})
