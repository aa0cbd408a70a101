import type { HttpResponse } from '../engine/core/http.ts'

/** The same answer; calls `onEnd` when its body has ended, or nobody reads it any more. */
export function withEnd(response: HttpResponse, onEnd: () => void): HttpResponse {
  const { body } = response
  if (typeof body !== 'object' || body === null) {
    onEnd()
    return response
  }
  const reader = body.getReader()
  const followed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
        } catch (error) {
          onEnd()
          throw error
        }
        onEnd()
        controller.close()
      },
      cancel(reason) {
        onEnd()
        return reader.cancel(reason)
      },
    },
    // What is ready is kept by the stream itself.
    { highWaterMark: 0 },
  )
  return { ...response, body: followed }
}
