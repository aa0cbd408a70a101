import { AsyncLocalStorage } from 'node:async_hooks'
import type { ReceiverFunction } from './receivers.ts'
import type { Sandbox } from './sandbox.ts'

/** Calls of receivers that go on, and what earlier ones threw. */
export interface ReceiverCalls {
  /** Calls a receiver; rejects with what it throws. */
  call(receive: ReceiverFunction, request: Request): Promise<Response>
  /** Whether this code runs for a receiver that has not answered yet. */
  isInside(): boolean
  /** What the receiver at a URL threw last; undefined if it never did. */
  thrownAt(url: string): unknown
}

export function createReceiverCalls(): ReceiverCalls {
  // Code that a receiver leaves behind, such as a timer, has its call long after that has ended.
  const calls = new AsyncLocalStorage<{ isOpen: boolean }>()
  const thrownByUrl = new Map<string, unknown>()
  return {
    async call(receive, request) {
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
    isInside: () => calls.getStore()?.isOpen === true,
    thrownAt: (url) => thrownByUrl.get(url),
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

/** The same sandbox, whose waiting methods throw inside a receiver: they would wait for the receiver that calls them. */
export function refuseInsideReceivers(
  sandbox: Sandbox,
  { isInside }: Pick<ReceiverCalls, 'isInside'>,
): Sandbox {
  const guarded = WAITING.map((name) => {
    const method: (...args: never[]) => Promise<unknown> = sandbox[name]
    const guard = async (...args: never[]) => {
      // Awaited, so that a stack leads to the test.
      if (!isInside()) return await method(...args)
      throw new Error(
        `Cannot call ${name}() inside a receiver: it waits until every receiver has answered, including this one. Answer first, or call the service with fetch`,
      )
    }
    return [name, guard] as const
  })
  return { ...sandbox, ...Object.fromEntries(guarded) }
}
