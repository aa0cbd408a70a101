import type { HttpResponse } from '../../engine/core/http.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import type { Cursor, Stream } from '../operations/operation.ts'

/** An event as a stream names it, with its data. */
export interface StreamedEvent {
  readonly id: string
  readonly type: string
}

/** How many bytes are made ready for a reader ahead of its reading. */
const MOST_READY = 16_384

/** How often an idle stream shows that it is alive, in real time. */
const PULSE_MS = 15_000

export interface EventStreamPorts {
  readonly realTime: RealTime
  /** When the reader goes away. */
  readonly signal: AbortSignal
}

interface StreamResponse extends HttpResponse {
  readonly body: ReadableStream<Uint8Array>
}

/**
 * Server-sent events, until the reader goes away. What a reader has not read yet is kept once for all; one that is so slow that it
 * is no longer kept is cut off, and goes on by the id of its last event.
 */
export function eventStream<Event extends StreamedEvent>(
  { follow, after }: Stream<Event>,
  ports: EventStreamPorts,
): StreamResponse {
  const reader = createReader<Event>(ports)
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        reader.begin(controller, { follow, after })
      },
      pull: () => reader.drain(),
      cancel: () => reader.leave(),
    },
    { highWaterMark: MOST_READY, size: (chunk) => chunk.byteLength },
  )
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  return { status: 200, headers, body }
}

type Controller = ReadableStreamDefaultController<Uint8Array>

interface Reader<Event> {
  begin(controller: Controller, stream: Pick<Stream<Event>, 'follow' | 'after'>): void
  /** Makes bytes of what has happened, as far as there is room. */
  drain(): void
  /** Follows no more. */
  leave(): void
}

function createReader<Event extends StreamedEvent>({ realTime, signal }: EventStreamPorts): Reader<Event> {
  let controller: Controller | undefined
  let cursor: Cursor<Event> | undefined
  let cancelPulse = () => {}
  let open = true

  function leave(): void {
    if (!open) return
    open = false
    cancelPulse()
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
    // Not closed: that would wait until everything is read that is ready.
    controller?.error(new Error('The reader is too slow'))
  }

  function pulse(): void {
    // A reader that has not read what is ready needs no sign of life.
    if (open && hasRoom(controller)) write(': alive\n\n', controller)
    if (open) cancelPulse = realTime.after(PULSE_MS, pulse)
  }

  return {
    begin(given, { follow, after }) {
      controller = given
      signal.addEventListener('abort', end)
      pulse()
      // No event, but a place to go on from.
      write(`id: ${after}\n\n`, controller)
      cursor = follow(drain)
      drain()
      // The reader may have gone before it began.
      if (signal.aborted) end()
    },
    drain,
    leave,
  }
}

function hasRoom(controller: Controller | undefined): boolean {
  return (controller?.desiredSize ?? 0) > 0
}

const encoder = new TextEncoder()

function write(text: string, controller: Controller | undefined): void {
  controller?.enqueue(encoder.encode(text))
}

/** The last one that was made bytes of: whoever follows reads the same one, mostly. */
let last: { readonly event: StreamedEvent; readonly bytes: Uint8Array } | undefined

function toBytes(event: StreamedEvent): Uint8Array {
  if (last?.event !== event) {
    const text = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    last = { event, bytes: encoder.encode(text) }
  }
  return last.bytes
}
