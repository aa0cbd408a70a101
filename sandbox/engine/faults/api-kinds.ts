import type { ApiFaultKind } from '../../../spec/faults.ts'
import { ApiError, UNKNOWN_OBJECT_CODE } from '../core/api-error.ts'
import { CUT_CONNECTION, type HttpResponse, jsonResponse } from '../core/http.ts'
import { editBody } from './edit-body.ts'
import type { FaultStateOn } from '../state/entries.ts'
import type { Gates } from './gates.ts'

export interface ApiFault {
  /** Returns true if the fault would not change this call. Such a match does not count. */
  readonly exempt?: (call: ExemptibleCall) => boolean
  readonly wrap: (next: () => Promise<HttpResponse>, call: FaultedCall) => Promise<HttpResponse>
}

export interface ExemptibleCall {
  readonly isShow: boolean
  readonly hasEarlier: () => boolean
  readonly secured: boolean
  readonly hasToken: boolean
}

export const API_FAULTS: { readonly [Kind in ApiFaultKind]: ApiFault } = {
  status: {
    async wrap(_, { fault: { settings } }) {
      const { status = 503, body = { message: `A fault answers ${status}` } } = settings
      if (status === 204 || status === 205 || status === 304) return { status, headers: {}, body: null }
      return jsonResponse(status, typeof body === 'string' ? body : JSON.stringify(body))
    },
  },

  delay: { wrap: (next, call) => interrupt(next, call, { waits: true, cuts: false }) },

  hang: { wrap: (next, call) => interrupt(next, call, { waits: true, cuts: true }) },

  reset: { wrap: (next, call) => interrupt(next, call, { waits: false, cuts: true }) },

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
      // A fault with a complete replacement body also replaces the error response for an unknown id.
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

function waitAtGate({ fault: { id, settings }, gates }: FaultedCall, signal: AbortSignal): Promise<void> {
  return gates.wait(id, { afterMs: settings.delay_ms, signal })
}

/** Returns true if the response says that the service does not know the object. Reading: unknown-object */
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

interface Interruption {
  readonly waits: boolean
  readonly cuts: boolean
}

async function interrupt(
  next: () => Promise<HttpResponse>,
  call: FaultedCall,
  { waits, cuts }: Interruption,
): Promise<HttpResponse> {
  const { at = 'request' } = call.fault.settings
  const response = at === 'request' ? undefined : await next()
  if (at === 'body' && typeof response?.body === 'string' && response.body !== '')
    return { ...response, body: interruptBody(response.body, call, { waits, cuts }) }
  if (waits) await waitAtGate(call, call.signal)
  return cuts ? CUT_CONNECTION : (response ?? next())
}

function interruptBody(
  text: string,
  call: FaultedCall,
  { waits, cuts }: Interruption,
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
        if (waits) await waitAtGate(call, AbortSignal.any([call.signal, cancelled.signal]))
        if (cancelled.signal.aborted) return
        if (cuts) return controller.error(new Error('A fault cuts the connection'))
        if (half < bytes.length) controller.enqueue(bytes.subarray(half))
        controller.close()
      },
      cancel: () => cancelled.abort(),
    },
    // The stream has no buffer, because an error would discard the buffered first half of the body.
    { highWaterMark: 0 },
  )
}

interface FaultedCall {
  readonly fault: FaultStateOn<'api'>
  readonly gates: Gates
  readonly signal: AbortSignal
  readonly earlierShow: (revisionsBack: number) => unknown
  readonly refuse: (error: ApiError) => HttpResponse
}
