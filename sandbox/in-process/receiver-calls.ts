import { AsyncLocalStorage } from 'node:async_hooks'
import type { ReceiverFunction } from './receivers.ts'

export function createReceiverCalls() {
  // A timer that a receiver leaves behind belongs to an ended call.
  const calls = new AsyncLocalStorage<{ isOpen: boolean }>()
  const thrownByUrl = new Map<string, unknown>()
  return {
    /** Calls a receiver. Rejects with its error. */
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
    /** Returns true in the code of a receiver that has not answered yet. */
    isInside: () => calls.getStore()?.isOpen === true,
    /** Returns the last error of the receiver at a URL. */
    thrownAt: (url: string) => thrownByUrl.get(url),
  }
}
