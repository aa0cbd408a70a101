import type { ApiFaultKind } from '../../../spec/faults.ts'
import { ApiError, UNKNOWN_OBJECT_CODE } from '../core/api-error.ts'
import { CUT_CONNECTION, type HttpResponse, jsonResponse } from '../core/http.ts'
import { editBody } from './edit-body.ts'
import type { FaultStateOn } from '../state/fault.ts'
import type { Gates } from './gates.ts'

/** A way for the API to go wrong: an answer around an answer. */
export interface ApiFault {
  /** Whether it leaves this call alone, uncounted: it would apply, and change nothing. */
  readonly exempt?: (call: ExemptibleCall) => boolean
  readonly wrap: (next: () => Promise<HttpResponse>, call: FaultedCall) => Promise<HttpResponse>
}

/** What decides whether a fault leaves a call alone. */
export interface ExemptibleCall {
  /** Whether it shows an object, and whether there is an earlier state of that. */
  readonly isShow: boolean
  readonly hasEarlier: () => boolean
  /** Whether it needs to be authenticated, and whether it came with a token. */
  readonly secured: boolean
  readonly hasToken: boolean
}

export const API_FAULTS: { readonly [Kind in ApiFaultKind]: ApiFault } = {
  status: {
    async wrap(_, { fault: { settings } }) {
      const { status = 503, body = { message: `A fault answers ${status}` } } = settings
      // These have no body.
      if (status === 204 || status === 205 || status === 304) return { status, headers: {}, body: null }
      return jsonResponse(status, typeof body === 'string' ? body : JSON.stringify(body))
    },
  },

  delay: {
    wrap: (next, call) =>
      interrupt(next, call, { wait: (signal) => waitAtGate(call, signal), thenCuts: false }),
  },

  hang: {
    wrap: (next, call) =>
      interrupt(next, call, { wait: (signal) => waitAtGate(call, signal), thenCuts: true }),
  },

  reset: {
    wrap: (next, call) => interrupt(next, call, { wait: async () => {}, thenCuts: true }),
  },

  'stale-show': {
    exempt: ({ isShow, hasEarlier }) => !isShow || !hasEarlier(),
    async wrap(next, { fault: { settings }, earlierShow }) {
      const response = await next()
      const body = isOk(response) ? earlierShow(settings.revisions_back ?? 1) : undefined
      return body === undefined ? response : jsonResponse(200, JSON.stringify(body))
    },
  },

  'modified-show': {
    exempt: ({ isShow }) => !isShow,
    async wrap(next, { fault: { settings } }) {
      const response = await next()
      // A whole body is shown for an unknown id too.
      const isShown = isOk(response) || (settings.body !== undefined && isUnknown(response))
      return isShown ? jsonResponse(200, editBody(textOf(response), settings)) : response
    },
  },

  // Reading: request-limits
  'rate-limit': {
    wrap: async (_, { fault: { settings } }) =>
      jsonResponse(429, JSON.stringify({ status: 'Too Many Requests', message: 'rate limit exceeded' }), {
        'retry-after': String(settings.retry_after ?? 1),
      }),
  },

  // Reading: webhook-operations
  'expired-token': {
    exempt: ({ secured, hasToken }) => !(secured && hasToken),
    wrap: async (_, { refuse }) => refuse(new ApiError('unauthorized', 'token expired')),
  },
}

/** For the fault's delay, or until the fault is removed. */
function waitAtGate({ fault: { id, settings }, gates }: FaultedCall, signal: AbortSignal): Promise<void> {
  return gates.wait(id, { afterMs: settings.delay_ms, signal })
}

/** Whether the service does not know the object that was asked for. Reading: unknown-object */
function isUnknown(response: HttpResponse): boolean {
  if (response.status !== 401) return response.status === 404
  return Reflect.get(Object(parseJson(textOf(response))), 'code') === UNKNOWN_OBJECT_CODE
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isOk({ status }: HttpResponse): boolean {
  return status !== null && status >= 200 && status < 300
}

function textOf({ body }: HttpResponse): string {
  return typeof body === 'string' ? body : ''
}

/** A pause in a call, after which the connection is cut or the call goes on. */
export interface Interruption {
  /** Ends early when `signal` aborts. */
  readonly wait: (signal: AbortSignal) => Promise<void>
  readonly thenCuts: boolean
}

/** Interrupts a call where the fault says: before it, after it and before its answer, or in the middle of the answer's body. */
async function interrupt(
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

/** The call that a fault applies to. */
interface FaultedCall {
  readonly fault: FaultStateOn<'api'>
  readonly gates: Gates
  /** When the caller goes away. */
  readonly signal: AbortSignal
  /** The Show body of the object so many revisions ago; undefined if the call shows none. */
  readonly earlierShow: (revisionsBack: number) => unknown
  /** A refusal in the way of the operation. */
  readonly refuse: (error: ApiError) => HttpResponse
}
