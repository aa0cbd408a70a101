import type { ApiFaultKind } from '../../../spec/faults.ts'
import { ApiError, UNKNOWN_OBJECT_CODE } from '../core/api-error.ts'
import type { FaultStateOn } from '../state/fault.ts'
import { editBody } from './edit-body.ts'
import type { Gates } from './gates.ts'

/** A way for the API to go wrong: an answer around an answer. */
export interface ApiFault {
  /** Whether it leaves this call alone, uncounted: it would apply, and change nothing. */
  readonly exempt?: (call: ExemptibleCall) => boolean
  readonly wrap: (next: () => Promise<Response>, call: FaultedCall) => Promise<Response>
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

/** The call that a fault applies to. */
export interface FaultedCall {
  readonly fault: FaultStateOn<'api'>
  readonly gates: Gates
  /** When the caller goes away. */
  readonly signal: AbortSignal
  /** The Show body of the object so many revisions ago; undefined if the call shows none. */
  readonly earlierShow: (revisionsBack: number) => unknown
  /** A refusal in the way of the operation. */
  readonly refuse: (error: ApiError) => Response
}

export const API_FAULTS: { readonly [Kind in ApiFaultKind]: ApiFault } = {
  status: {
    async wrap(_, { fault: { settings } }) {
      const { status = 503, body = { message: `A fault answers ${status}` } } = settings
      // These have no body.
      if (status === 204 || status === 205 || status === 304) return new Response(null, { status })
      return jsonText(typeof body === 'string' ? body : JSON.stringify(body), status)
    },
  },

  delay: {
    async wrap(next, { fault: { id, settings }, gates, signal }) {
      await gates.wait(id, { afterMs: settings.delay_ms, signal })
      return next()
    },
  },

  hang: {
    async wrap(_, { fault: { id }, gates, signal }) {
      await gates.wait(id, { signal })
      return cutConnection()
    },
  },

  reset: {
    wrap: async () => cutConnection(),
  },

  'stale-show': {
    exempt: ({ isShow, hasEarlier }) => !isShow || !hasEarlier(),
    async wrap(next, { fault: { settings }, earlierShow }) {
      const response = await next()
      const body = response.ok ? earlierShow(settings.revisions_back ?? 1) : undefined
      return body === undefined ? response : Response.json(body)
    },
  },

  'crafted-show': {
    exempt: ({ isShow }) => !isShow,
    async wrap(next, { fault: { settings } }) {
      const response = await next()
      // A whole body is shown for an unknown id too.
      const isShown = response.ok || (settings.body !== undefined && (await isUnknown(response)))
      return isShown ? jsonText(editBody(await response.text(), settings), 200) : response
    },
  },

  // Reading: request-limits
  'rate-limit': {
    wrap: async (_, { fault: { settings } }) =>
      Response.json(
        { status: 'Too Many Requests', message: 'rate limit exceeded' },
        { status: 429, headers: { 'retry-after': String(settings.retry_after ?? 1) } },
      ),
  },

  // Reading: webhook-operations
  'expired-token': {
    exempt: ({ secured, hasToken }) => !(secured && hasToken),
    wrap: async (_, { refuse }) => refuse(new ApiError('unauthorized', 'token expired')),
  },
}

/** Whether the service does not know the object that was asked for. Reading: unknown-object */
async function isUnknown(response: Response): Promise<boolean> {
  if (response.status !== 401) return response.status === 404
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return Reflect.get(Object(body), 'code') === UNKNOWN_OBJECT_CODE
}

function jsonText(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } })
}

/** How a connection that is cut looks to what serves it. */
function cutConnection(): Response {
  return Response.error()
}
