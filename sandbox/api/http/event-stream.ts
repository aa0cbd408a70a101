import type { HttpResponse } from '../../engine/core/http.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import { createQueue, type Queue } from '../../engine/core/queue.ts'
import type { Stream } from '../operations/operation.ts'

/** An event as a stream names it, with its data. */
export interface StreamedEvent {
  readonly id: string
  readonly type: string
}

/** How many events may wait for a reader; one that is slower is cut off, and goes on by the id of its last event. */
const MOST_WAITING = 50_000

/** How many bytes are made ready for a reader ahead of its reading. */
const MOST_READY = 65_536

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

/** Server-sent events, until the reader goes away. What waits for a reader is what happened, not yet its bytes. */
export function eventStream<Event extends StreamedEvent>(
  { follow, after }: Stream<Event>,
  ports: EventStreamPorts,
): StreamResponse {
  const waiting = createQueue<Event>()
  const reader = createReader(waiting, ports)
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
  /** Makes bytes of what waits, as far as there is room. */
  drain(): void
  /** Follows no more. */
  leave(): void
}

function createReader<Event extends StreamedEvent>(
  waiting: Queue<Event>,
  { realTime, signal }: EventStreamPorts,
): Reader<Event> {
  let controller: Controller | undefined
  let unfollow = () => {}
  let cancelPulse = () => {}
  let open = true

  function leave(): void {
    if (!open) return
    open = false
    waiting.clear()
    cancelPulse()
    unfollow()
    signal.removeEventListener('abort', end)
  }

  function end(): void {
    if (!open) return
    leave()
    controller?.close()
  }

  function take(event: Event): void {
    if (!open) return
    waiting.push(event)
    drain(waiting, controller)
    if (waiting.length <= MOST_WAITING) return
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
      unfollow = follow(take)
      // The reader may have gone before it began, or been sent too much at once.
      if (signal.aborted) end()
      if (!open) unfollow()
    },
    drain: () => drain(waiting, controller),
    leave,
  }
}

/** To write asks for more, within the same turn: what is taken must be gone before. */
function drain<Event extends StreamedEvent>(waiting: Queue<Event>, controller: Controller | undefined): void {
  while (hasRoom(controller)) {
    const event = waiting.shift()
    if (!event) return
    write(formatEvent(event), controller)
  }
}

function hasRoom(controller: Controller | undefined): boolean {
  return (controller?.desiredSize ?? 0) > 0
}

const encoder = new TextEncoder()

function write(text: string, controller: Controller | undefined): void {
  controller?.enqueue(encoder.encode(text))
}

function formatEvent(event: StreamedEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
