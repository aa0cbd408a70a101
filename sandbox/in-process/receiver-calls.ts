import { AsyncLocalStorage } from 'node:async_hooks'
import type { ReceiverFunction } from './receivers.ts'
import type { Sandbox } from './sandbox.ts'

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

/** Methods that resolve when every receiver has answered. */
const WAITING = [
  'create',
  'change',
  'move',
  'play',
  'next',
  'advance',
  'setClock',
  'settle',
  'resend',
  'deliver',
  'removeFault',
  'clearFaults',
  'reset',
  'restore',
  'expectNoDelivery',
  'close',
] as const satisfies readonly (keyof Sandbox)[]

/** Wraps the sandbox. Waiting methods throw inside a receiver, because they would wait for their own caller. */
export function refuseInsideReceivers(sandbox: Sandbox, isInside: () => boolean): Sandbox {
  const guarded = WAITING.map((name) => {
    const method: (...args: never[]) => Promise<unknown> = sandbox[name]
    const guard = async (...args: never[]) => {
      // Awaited, so that the stack leads to the test.
      if (!isInside()) return await method(...args)
      throw new Error(
        `Cannot call ${name}() inside a receiver: it waits until every receiver has answered, including this one. Answer first, or call the service with fetch`,
      )
    }
    return [name, guard] as const
  })
  return { ...sandbox, ...Object.fromEntries(guarded) }
}
