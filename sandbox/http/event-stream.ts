import type { RealTime } from '../ports.ts'
import type { Stream } from '../operations/operation.ts'

/** An event as a stream names it, with its data. */
export interface StreamedEvent {
  readonly id: string
  readonly type: string
}

/** How many bytes may wait for a reader; one that is slower is cut off, and goes on by the id of its last event. */
const MOST_WAITING = 4_000_000

/** How often an idle stream shows that it is alive, in real time. */
const PULSE_MS = 15_000

/** Server-sent events, until the reader goes away. */
export function eventStream<Event extends StreamedEvent>(
  { follow, after }: Stream<Event>,
  { realTime, signal }: { readonly realTime: RealTime; readonly signal: AbortSignal },
): Response {
  const encoder = new TextEncoder()
  let stop = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let open = true
        let cancelPulse = () => {}
        let unfollow = () => {}
        stop = () => {
          if (!open) return
          open = false
          cancelPulse()
          unfollow()
          signal.removeEventListener('abort', stop)
        }
        const write = (text: string) => {
          if (!open) return
          controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) >= 0) return
          stop()
          controller.close()
        }
        const pulse = () => {
          write(': alive\n\n')
          cancelPulse = realTime.after(PULSE_MS, pulse)
        }
        signal.addEventListener('abort', stop)
        // No event, but a place to go on from.
        write(`id: ${after}\n\n`)
        pulse()
        unfollow = follow((event) => write(textOf(event)))
        if (!open) unfollow()
      },
      cancel: () => stop(),
    },
    { highWaterMark: MOST_WAITING, size: (chunk) => chunk.byteLength },
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

function textOf(event: StreamedEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
