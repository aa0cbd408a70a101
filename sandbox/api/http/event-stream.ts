import type { RealTime } from '../../engine/core/ports.ts'
import type { Cursor, Stream } from '../operations/operation.ts'

const MAX_READY = 16_384

const PULSE_MS = 15_000

export type EventStreams = ReturnType<typeof createEventStreams>

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

export function createEventStreams(realTime: Pick<RealTime, 'after'>) {
  const formatEvent = createEventFormatter()
  return {
    /** Sends events until `signal` aborts. Disconnects slow readers, which can reconnect. `check` throws for a bad event. */
    open(stream: Stream<unknown>, signal: AbortSignal, check: (event: unknown) => void) {
      let reader: ReturnType<typeof createReader> | undefined
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            reader = createReader(controller, realTime, (event) => formatEvent(event, check))
            reader.begin(stream, signal)
          },
          pull: () => reader?.drain(),
          cancel: () => reader?.leave(),
        },
        { highWaterMark: MAX_READY, size: (chunk) => chunk.byteLength },
      )
      return { status: 200, headers: HEADERS, body }
    },
  }
}

function createReader(
  controller: ReadableStreamDefaultController<Uint8Array>,
  realTime: Pick<RealTime, 'after'>,
  toBytes: (event: unknown) => Uint8Array,
) {
  let cursor: Cursor<unknown> | undefined
  let forget = () => {}
  let cancelPulse = () => {}
  let open = true
  const hasBufferSpace = () => (controller.desiredSize ?? 0) > 0
  const write = (text: string) => controller.enqueue(encoder.encode(text))

  function pulse(): void {
    // Sends a keep-alive only if the reader has read everything.
    if (hasBufferSpace()) write(': alive\n\n')
    cancelPulse = realTime.after(PULSE_MS, pulse)
  }

  function leave(): void {
    if (!open) return
    open = false
    cancelPulse()
    cursor?.end()
    forget()
  }

  function end(): void {
    if (!open) return
    leave()
    controller.close()
  }

  function drain(): void {
    if (!open || !cursor) return
    for (let event = hasBufferSpace() && cursor.next(); event; event = hasBufferSpace() && cursor.next())
      controller.enqueue(toBytes(event))
    if (!cursor.isLost) return
    leave()
    // Ends the stream with an error, because a normal close would wait for the unread bytes.
    controller.error(new Error('The reader of the events is too slow'))
  }

  return {
    begin({ follow, after }: Stream<unknown>, signal: AbortSignal): void {
      signal.addEventListener('abort', end)
      forget = () => signal.removeEventListener('abort', end)
      pulse()
      // Sends the start position as an id without an event.
      write(`id: ${after}\n\n`)
      cursor = follow(drain)
      drain()
      // The reader may have disconnected before the stream started.
      if (signal.aborted) end()
    },
    drain,
    leave,
  }
}

const encoder = new TextEncoder()

interface StreamedEvent {
  readonly id: string
  readonly type: string
}

/** Validates each event only once. Caches the last formatted event, because readers mostly read the same event. */
function createEventFormatter() {
  const checked = new WeakSet<object>()
  let last: { readonly event: StreamedEvent; readonly bytes: Uint8Array } | undefined
  return (given: unknown, check: (event: unknown) => void): Uint8Array => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the next lines check the event
    const event = given as StreamedEvent
    if (last?.event === event) return last.bytes
    if (!checked.has(event)) check(event)
    checked.add(event)
    const text = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    last = { event, bytes: encoder.encode(text) }
    return last.bytes
  }
}
