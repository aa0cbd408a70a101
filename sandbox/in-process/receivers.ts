import { AsyncLocalStorage } from 'node:async_hooks'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import { deliveredTypes, GENERATIONS, type Generation } from '../../spec/delivery.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import { didYouMean } from '../../spec/nearest.ts'
import type { Sandbox } from './sandbox.ts'

/**
 * A receiver function for tests without an open port. If the function throws an error, the connection closes without a response.
 * The function may call the service with `fetch`, and may seed objects. Inside the function, methods that wait for all receivers
 * throw an error.
 */
export type ReceiverFunction = (request: Request) => Response | Promise<Response>

/** The receivers of one object type, for webhooks and for callbacks. */
export interface GenerationReceivers {
  readonly webhooks?: ReceiverFunction
  readonly callbacks?: ReceiverFunction
}

type OfBothGenerations = {
  readonly [Type in Exclude<NotifiedType, 'virtual_accounts'>]?: ReceiverFunction | GenerationReceivers
}

/**
 * Your receiver for each object type: one function that receives webhooks, or separate functions for webhooks and callbacks.
 * Source: §2.2
 */
export interface Receivers extends OfBothGenerations {
  readonly virtual_accounts?: ReceiverFunction | Pick<GenerationReceivers, 'webhooks'>
  /** The receiver of bank accounts. Only the service's earlier list of callbacks contains bank accounts. Reading: callback-list */
  readonly bank_accounts?: Pick<GenerationReceivers, 'callbacks'>
}

export interface ReceiverRow {
  readonly object_type: string
  readonly generation: Generation
  readonly receive: ReceiverFunction
}

/** Returns the receivers in a fixed order, so that seeded ids do not depend on the order of the keys. Throws for an invalid receiver. */
export function receiverRows(receivers: Receivers): readonly ReceiverRow[] {
  const stray = Object.keys(receivers).find((type) => !deliveredTypes.includes(type))
  if (stray !== undefined) {
    throw new RangeError(
      `Cannot register a receiver of "${stray}": the object types are ${deliveredTypes.join(', ')}${didYouMean(stray, deliveredTypes)}`,
    )
  }
  return deliveredTypes.flatMap((object_type) => toRows(object_type, Reflect.get(receivers, object_type)))
}

function toRows(object_type: string, given: unknown): ReceiverRow[] {
  if (given === undefined) return []
  const byGeneration = typeof given === 'function' ? { webhooks: given } : given
  if (typeof byGeneration !== 'object' || byGeneration === null) refuseShape(object_type, given)
  const stray = Object.keys(byGeneration).find((key) => !GENERATIONS.some((generation) => key === generation))
  if (stray !== undefined) refuseShape(object_type, `"${stray}"`)
  return GENERATIONS.flatMap((generation) => {
    const receive: unknown = Reflect.get(byGeneration, generation)
    if (receive === undefined) return []
    if (!isReceiver(receive)) refuseShape(`${generation} of ${object_type}`, receive)
    checkGeneration(object_type, generation)
    return [{ object_type, generation, receive }]
  })
}

function isReceiver(given: unknown): given is ReceiverFunction {
  return typeof given === 'function'
}

function refuseShape(subject: string, given: unknown): never {
  throw new TypeError(
    `Cannot register a receiver of ${subject}: ${String(given)} is not a receiver. Give a function that takes a Request, or { webhooks, callbacks }`,
  )
}

const TYPES: Readonly<Record<Generation, readonly string[]>> = {
  webhooks: DELIVERY.object_types.webhooks.value,
  callbacks: [...DELIVERY.object_types.callbacks.value, ...DELIVERY.earlier_callbacks.object_types.value],
}
const OTHER = { webhooks: 'callbacks', callbacks: 'webhooks' } as const

/** Throws an error if no reading supports this object type in this generation. Source: §2.2 */
function checkGeneration(object_type: string, generation: Generation): void {
  if (TYPES[generation].includes(object_type)) return
  const other = OTHER[generation]
  throw new RangeError(
    `Cannot register ${generation} of ${object_type}: the service sends only ${other} for this type. Give { ${other} }`,
  )
}

export function createReceiverCalls() {
  // The call in progress. A timer set by the receiver can outlive the call. `isOpen` is false after the call ends.
  const calls = new AsyncLocalStorage<{ isOpen: boolean }>()
  const thrownByUrl = new Map<string, unknown>()
  return {
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
    /** Returns true if the code runs inside a receiver that has not yet responded. */
    isInside: () => calls.getStore()?.isOpen === true,
    thrownAt: (url: string) => thrownByUrl.get(url),
  }
}

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

/** Makes waiting methods reject inside a receiver, because they would wait for the receiver itself. */
export function refuseInsideReceiver(sandbox: Sandbox, isInsideReceiver: () => boolean): Sandbox {
  for (const name of WAITING) {
    const method: (...given: never) => unknown = sandbox[name]
    Reflect.set(sandbox, name, async (...given: readonly unknown[]): Promise<unknown> => {
      if (isInsideReceiver()) throw insideError(name)
      // Awaits the call, so that the stack trace of an error includes the test.
      return await Reflect.apply(method, sandbox, given)
    })
  }
  return sandbox
}

function insideError(name: string): Error {
  return new Error(
    `Cannot call ${name}() inside a receiver: ${name}() waits until every receiver has answered, including this receiver. Return a Response first, or call the service with fetch`,
  )
}
