import { CUT_CONNECTION, type HttpResponse } from '../core/http.ts'
import type { FaultedCall } from './faulted-call.ts'

/** A pause in a call, after which the connection is cut or the call goes on. */
export interface Interruption {
  /** Ends early when `signal` aborts. */
  readonly wait: (signal: AbortSignal) => Promise<void>
  readonly thenCuts: boolean
}

/** Interrupts a call where the fault says: before it, after it and before its answer, or in the middle of the answer's body. */
export async function interrupt(
  next: () => Promise<HttpResponse>,
  { fault, signal }: Pick<FaultedCall, 'fault' | 'signal'>,
  { wait, thenCuts }: Interruption,
): Promise<HttpResponse> {
  const { at = 'request' } = fault.settings
  if (at === 'request') {
    await wait(signal)
    return thenCuts ? CUT_CONNECTION : next()
  }
  const response = await next()
  if (at === 'body' && typeof response.body === 'string' && response.body !== '')
    return { ...response, body: interruptBody(response.body, signal, { wait, thenCuts }) }
  await wait(signal)
  return thenCuts ? CUT_CONNECTION : response
}

/** Half of the bytes, the interruption, and the other half unless the connection is cut. */
function interruptBody(
  text: string,
  signal: AbortSignal,
  { wait, thenCuts }: Interruption,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const half = Math.ceil(bytes.length / 2)
  const cancelled = new AbortController()
  let isHalfSent = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isHalfSent) {
          isHalfSent = true
          return controller.enqueue(bytes.subarray(0, half))
        }
        await wait(AbortSignal.any([signal, cancelled.signal]))
        if (cancelled.signal.aborted) return
        if (thenCuts) return controller.error(new Error('A fault cuts the connection'))
        if (half < bytes.length) controller.enqueue(bytes.subarray(half))
        controller.close()
      },
      cancel: () => cancelled.abort(),
    },
    // An error takes away what is not read yet, so the first half has to be read before.
    { highWaterMark: 0 },
  )
}
