import { AsyncLocalStorage } from 'node:async_hooks'
import type { ReceiverFunction } from './receivers.ts'

export function createReceiverCalls() {
  // The call in progress. A timer of the receiver can outlive the call. `isOpen` is false for an ended call.
  const calls = new AsyncLocalStorage<{ isOpen: boolean }>()
  const thrownByUrl = new Map<string, unknown>()
  return {
    /** Calls a receiver. Rejects if the receiver throws. */
    async call(receive: ReceiverFunction, request: Request): Promise<Response> {
      const call = { isOpen: true }
      try {
        return await calls.run(call, receive, request)
      } catch (error) {
        thrownByUrl.set(request.url, error)
        throw error
      } finally {
        call.isOpen = false
      }
    },
    /** Returns true inside a receiver that has not responded yet. */
    isInside: () => calls.getStore()?.isOpen === true,
    /** Returns the last error of the receiver at a URL. */
    thrownAt: (url: string) => thrownByUrl.get(url),
  }
}
