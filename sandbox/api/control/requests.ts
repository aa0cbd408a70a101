import type { AppliedFault, RequestRecord } from '../../../spec/generated/control-types.ts'
import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { correctSpelling } from '../../../spec/nearest.ts'
import type { View } from '../../engine/state/view.ts'
import { reply } from '../operations/operation.ts'
import { lookBack } from './look-back.ts'
import type { ControlOperation } from './operation.ts'
import { pageByCursor } from './cursor-pages.ts'
import { completeObjectId } from './short-ids.ts'
import { refuseUnknownType } from './jobs.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import { createNewest } from '../../engine/core/newest.ts'
import { createSignal } from '../../engine/core/signal.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const listRequests: ControlOperation<'listRequests'> = lookBack(({ query }, { requests, view }) => {
  const { object_type, operation } = query
  refuseUnknownType(object_type)
  refuseUnknownOperation(operation)
  const keptId = (type: string | null, id: string) => {
    const kept = type !== null && isNotifiedType(type) ? view.keptId(type, id) : undefined
    return kept ?? id
  }
  const object_id =
    query.object_id === undefined
      ? undefined
      : completeObjectId(query.object_id, view, { field: 'object_id' })
  const matching = requests().filter(
    (request) =>
      (object_type === undefined || request.object_type === object_type) &&
      (operation === undefined || request.operation === operation) &&
      (object_id === undefined ||
        (request.object_id !== null &&
          keptId(request.object_type, request.object_id) === keptId(request.object_type, object_id))),
  )
  const { page, ...rest } = pageByCursor(matching, query, ({ id }) => id)
  return reply(200, { requests: page.map((request) => withKeptId(request, view)), ...rest })
})

/** With the id that jobs have for the object: a receiver may ask by another one. */
export function withKeptId(request: RequestRecord, view: Pick<View, 'keptId'>): RequestRecord {
  const { object_type: type, object_id: id } = request
  const kept = type !== null && id !== null && isNotifiedType(type) ? view.keptId(type, id) : undefined
  return { ...request, kept_id: kept ?? null }
}

/** As for a misspelt type. */
function refuseUnknownOperation(operation: string | undefined): void {
  if (operation === undefined || Object.hasOwn(OPERATIONS, operation)) return
  const meant = correctSpelling(operation, Object.keys(OPERATIONS))
  throw new ApiError('invalid', {
    field: 'operation',
    message: `Cannot list calls of "${operation}": unknown operation`,
    ...(meant !== undefined && { hint: `did you mean "${meant}"?` }),
  })
}

export type RequestLog = ReturnType<typeof createRequestLog>

export interface IncomingCall {
  /** Sandbox time, epoch milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** With its question mark; empty if there is none. */
  readonly query: string
  readonly user_agent: string | null
}

/**
 * A call with what becomes known of it on its way. It is one flat object without times and secrets written out, because each
 * call makes one that stays, and few are looked at.
 */
export interface ReceivedCall extends IncomingCall {
  readonly id: number
  /** Real time, epoch milliseconds. */
  readonly realAt: number
  /** Milliseconds of the clock that measures. */
  readonly startedAt: number
  tookMs: number | null
  status: number | null
  /** What it calls, and about which object, once a route was found. */
  operation: string | null
  objectType: NotifiedType | null
  objectId: string | null
  /** Who it was, once that is proved. */
  by: string | null
  faults: readonly AppliedFault[]
}

const MOST_KEPT = 10_000

/** The limits of all stored requests together, and of one path, query, id or caller's name. Callers need no token. */
const MOST_CHARACTERS = 8_000_000

const MOST_OF_ONE = 4_096

const NO_FAULTS: readonly AppliedFault[] = []

/**
 * Keeps the newest calls of the service API in memory, oldest first. `begunAt` is the sandbox time since which it records
 * calls, null if there were none before.
 */
export function createRequestLog(realTime: RealTime, begunAt: number | null = null) {
  let since = begunAt
  let restored: readonly RequestRecord[] = []
  const calls = createNewest<ReceivedCall>(MOST_KEPT, MOST_CHARACTERS)
  let count = 0
  // Who follows the calls lists them again and again: writing all of them anew was a third of a run of the checks.
  const recordByCall = new WeakMap<ReceivedCall, RequestRecord>()
  const answered = createSignal<ReceivedCall>()

  /** A call that is over does not change any more. */
  function recordOf(call: ReceivedCall): RequestRecord {
    const known = recordByCall.get(call)
    if (known) return known
    const record = toRequestRecord(call)
    if (call.tookMs !== null) recordByCall.set(call, record)
    return record
  }

  const list = () => [...restored, ...calls.list().map(recordOf)].slice(-MOST_KEPT)

  return {
    begin(incoming: IncomingCall): ReceivedCall {
      const call = createCall(shortenTexts(incoming), ++count, realTime)
      calls.push(call, textLength(call))
      return call
    },
    /** Records the response status, null if the connection was cut. */
    end(call: ReceivedCall, status: number | null): void {
      call.status = status
      if (textLength(call) > MOST_OF_ONE && call.objectId !== null) call.objectId = shortCopy(call.objectId)
      call.tookMs = realTime.elapsed() - call.startedAt
      answered.emit(call)
    },
    list,
    /** Returns the sandbox time since which all calls are kept, null if all calls of this world are. */
    keptSince(): number | null {
      const isCut = calls.hasDropped() || restored.length + calls.length > MOST_KEPT
      const [oldest] = isCut ? list() : []
      return oldest ? Date.parse(oldest.at) : since
    },
    replace(requests: readonly RequestRecord[], keptSince: number | null = null): void {
      restored = requests
      since = keptSince
      calls.clear()
      count = requests.at(-1)?.id ?? 0
    },
    /** Calls the listener with each call that was answered or cut. */
    subscribe: answered.subscribe,
  }
}

function createCall(
  { at, method, path, query, user_agent }: IncomingCall,
  id: number,
  realTime: RealTime,
): ReceivedCall {
  return {
    id,
    at,
    realAt: realTime.now(),
    startedAt: realTime.elapsed(),
    method,
    path,
    query,
    user_agent,
    tookMs: null,
    status: null,
    operation: null,
    objectType: null,
    objectId: null,
    by: null,
    faults: NO_FAULTS,
  }
}

function shortenTexts(call: IncomingCall): IncomingCall {
  if (textLength(call) <= MOST_OF_ONE) return call
  const { path, query, user_agent } = call
  return {
    ...call,
    path: shortCopy(path),
    query: shortCopy(query),
    user_agent: user_agent === null ? null : shortCopy(user_agent),
  }
}

/**
 * The beginning of a text, in one byte for each character: an ellipsis would make it two. A slice would keep all of what it
 * is taken from, a whole request line.
 */
function shortCopy(text: string): string {
  const cut = text.length > MOST_OF_ONE ? `${text.slice(0, MOST_OF_ONE)}...` : text
  return Buffer.from(cut).toString()
}

/** The characters of it that its caller chose. */
export function textLength({ path, query, user_agent }: IncomingCall): number {
  return path.length + query.length + (user_agent?.length ?? 0)
}

/** A call as it is listed. */
export function toRequestRecord(call: ReceivedCall): RequestRecord {
  const { operation, by, status, faults, id, method, user_agent } = call
  return {
    operation,
    object_type: call.objectType,
    object_id: call.objectId,
    by,
    status,
    took_ms: call.tookMs,
    faults,
    id,
    at: timestamp(call.at),
    real_at: timestamp(call.realAt),
    method,
    path: call.path + withoutSecrets(call.query),
    user_agent,
  }
}

/** The query without the values of parameters that are secret. */
function withoutSecrets(query: string): string {
  const parameters = [...new URLSearchParams(query)]
  const isSecret = ([name]: readonly [string, string]) => /secret|token|password/i.test(name)
  if (!parameters.some(isSecret)) return query
  const shown = parameters.map((pair) => (isSecret(pair) ? [pair[0], '***'] : pair))
  return `?${new URLSearchParams(shown).toString()}`
}
