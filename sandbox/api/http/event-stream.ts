import type { RealTime } from '../../engine/core/ports.ts'
import type { Cursor, Stream } from '../operations/operation.ts'

interface StreamedEvent {
  readonly id: string
  readonly type: string
}

/** The maximum size of unread bytes for a reader. */
const MAX_READY = 16_384

/** The interval of keep-alive comments, in real time. */
const PULSE_MS = 15_000

export type EventStreams = ReturnType<typeof createEventStreams>

interface StreamOptions {
  /** Aborts when the reader goes away. */
  readonly signal: AbortSignal
  /** Throws for a value that is not an event. */
  readonly check: (event: unknown) => void
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** The streams of one listener. Each event is formatted once for all readers. */
export function createEventStreams(realTime: Pick<RealTime, 'after'>) {
  const formatEvent = createEventFormatter()
  return {
    /**
     * Sends server-sent events until the reader goes away. Cuts off a reader that lags behind the kept events. The
     * reader continues by the id of its last event.
     */
    open(stream: Stream<unknown>, { signal, check }: StreamOptions) {
      const reader = createReader(realTime, signal, (event) => formatEvent(event, check))
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => reader.begin(controller, stream),
          pull: () => reader.drain(),
          cancel: () => reader.leave(),
        },
        { highWaterMark: MAX_READY, size: (chunk) => chunk.byteLength },
      )
      return { status: 200, headers: HEADERS, body }
    },
  }
}

type Controller = ReadableStreamDefaultController<Uint8Array>

function createReader(
  realTime: Pick<RealTime, 'after'>,
  signal: AbortSignal,
  toBytes: (event: unknown) => Uint8Array,
) {
  let controller: Controller | undefined
  let cursor: Cursor<unknown> | undefined
  let open = true
  // A reader with unread bytes needs no keep-alive.
  const pulse = createPulse(realTime, () => hasRoom(controller) && write(': alive\n\n', controller))

  function leave(): void {
    if (!open) return
    open = false
    pulse.stop()
    cursor?.end()
    signal.removeEventListener('abort', end)
  }

  function end(): void {
    if (!open) return
    leave()
    controller?.close()
  }

  function drain(): void {
    if (!open || !cursor) return
    for (
      let event = hasRoom(controller) && cursor.next();
      event;
      event = hasRoom(controller) && cursor.next()
    )
      controller?.enqueue(toBytes(event))
    if (!cursor.isLost) return
    leave()
    // Not closed, because that would wait for the unread bytes.
    controller?.error(new Error('The reader is too slow'))
  }

  return {
    begin(given: Controller, { follow, after }: Stream<unknown>): void {
      controller = given
      signal.addEventListener('abort', end)
      pulse.start()
      // The first id is not an event, but a place to continue from.
      write(`id: ${after}\n\n`, controller)
      cursor = follow(drain)
      drain()
      // The reader can leave before the stream begins.
      if (signal.aborted) end()
    },
    drain,
    leave,
  }
}

function createPulse(realTime: Pick<RealTime, 'after'>, beat: () => void) {
  let cancel = () => {}
  function start(): void {
    beat()
    cancel = realTime.after(PULSE_MS, start)
  }
  return { start, stop: () => cancel() }
}

function hasRoom(controller: Controller | undefined): boolean {
  return (controller?.desiredSize ?? 0) > 0
}

const encoder = new TextEncoder()

function write(text: string, controller: Controller | undefined): void {
  controller?.enqueue(encoder.encode(text))
}

/** Checks each event once and formats most events once, because readers mostly read the same one. */
function createEventFormatter() {
  const checked = new WeakSet<object>()
  let last: { readonly event: StreamedEvent; readonly bytes: Uint8Array } | undefined
  return (given: unknown, check: (event: unknown) => void): Uint8Array => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked just below
    const event = given as StreamedEvent
    if (last?.event === event) return last.bytes
    if (!checked.has(event)) check(event)
    checked.add(event)
    const text = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    last = { event, bytes: encoder.encode(text) }
    return last.bytes
  }
}
