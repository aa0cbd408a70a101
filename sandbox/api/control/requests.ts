import type { AppliedFault, RequestRecord } from '../../../spec/generated/control-types.ts'
import { OPERATIONS } from '../../../spec/generated/service-operations.ts'
import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { correctSpelling } from '../../../spec/nearest.ts'
import type { View } from '../../engine/state/view.ts'
import { reply } from '../operations/operation.ts'
import { readPastOrPresent } from './look-back.ts'
import type { ControlOperation } from './operation.ts'
import { pageByCursor } from './cursor-pages.ts'
import { completeObjectId } from './short-ids.ts'
import { refuseUnknownType } from './jobs.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import { createNewest } from '../../engine/core/newest.ts'
import { createSignal } from '../../engine/core/signal.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const listRequests: ControlOperation<'listRequests'> = readPastOrPresent(
  ({ query }, { requests, view }) => {
    const { object_type, operation } = query
    refuseUnknownType(object_type)
    refuseUnknownOperation(operation)
    const storedId = (type: string | null, id: string) => {
      const kept = type !== null && isNotifiedType(type) ? view.storedId(type, id) : undefined
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
            storedId(request.object_type, request.object_id) === storedId(request.object_type, object_id))),
    )
    const { page, ...rest } = pageByCursor(matching, query, ({ id }) => id)
    return reply(200, { requests: page.map((request) => withStoredId(request, view)), ...rest })
  },
)

/** Adds the stored id of the object, which jobs also use. A receiver can request the object by another id. */
export function withStoredId(request: RequestRecord, view: Pick<View, 'storedId'>): RequestRecord {
  const { object_type: type, object_id: id } = request
  const kept = type !== null && id !== null && isNotifiedType(type) ? view.storedId(type, id) : undefined
  return { ...request, kept_id: kept ?? null }
}

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
  /** The start of the call in sandbox time, in milliseconds since the Unix epoch. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** The query with its question mark. Empty if the call has no query. */
  readonly query: string
  readonly user_agent: string | null
}

/** A received call. The record is flat and unformatted, because every call is stored but few are read. */
export interface ReceivedCall extends IncomingCall {
  readonly id: number
  /** The real time of the start, in milliseconds since the Unix epoch. */
  readonly real_at: number
  /** The start of the call, in milliseconds on a monotonic clock. */
  readonly startedAt: number
  took_ms: number | null
  status: number | null
  /** The id of the operation. Null until the route is found. */
  operation: string | null
  object_type: NotifiedType | null
  object_id: string | null
  by: string | null
  faults: readonly AppliedFault[]
  /** The formatted record of a completed call. Null until the call is first listed. */
  record: RequestRecord | null
}

const MAX_KEPT = 10_000

/** The maximum number of characters in all stored calls. Callers need no token, so the size of each call is also limited. */
const MAX_CHARACTERS = 8_000_000

const MAX_TEXT_CHARACTERS = 4_096

const NO_FAULTS: readonly AppliedFault[] = []

/** Stores the newest calls. `begunAt` is the sandbox time at which the log begins, or null if no call was dropped. */
export function createRequestLog(realTime: RealTime, begunAt: number | null = null) {
  let since = begunAt
  let restored: readonly RequestRecord[] = []
  const calls = createNewest<ReceivedCall>(MAX_KEPT, MAX_CHARACTERS)
  let count = 0
  const answered = createSignal<ReceivedCall>()

  /** Returns the record of a call. Caches the record of a completed call, because checks list all calls often. */
  function recordOf(call: ReceivedCall): RequestRecord {
    if (call.record) return call.record
    const record = toRequestRecord(call)
    if (call.took_ms !== null) call.record = record
    return record
  }

  const list = () => [...restored, ...calls.list().map(recordOf)].slice(-MAX_KEPT)

  return {
    begin(incoming: IncomingCall): ReceivedCall {
      const call = createCall(shortenTexts(incoming), ++count, realTime)
      calls.push(call, textLength(call))
      return call
    },
    /** Records the response status. `status` is null if the connection was closed. */
    end(call: ReceivedCall, status: number | null): void {
      call.status = status
      if (textLength(call) > MAX_TEXT_CHARACTERS && call.object_id !== null)
        call.object_id = shortCopy(call.object_id)
      call.took_ms = realTime.elapsed() - call.startedAt
      answered.emit(call)
    },
    list,
    keptSince(): number | null {
      const isCut = calls.hasDropped() || restored.length + calls.length > MAX_KEPT
      const [oldest] = isCut ? list() : []
      return oldest ? Date.parse(oldest.at) : since
    },
    replace(requests: readonly RequestRecord[], keptSince: number | null = null): void {
      restored = requests
      since = keptSince
      calls.clear()
      count = requests.at(-1)?.id ?? 0
    },
    subscribe: answered.subscribe,
  }
}

function createCall(incoming: IncomingCall, id: number, realTime: RealTime): ReceivedCall {
  return {
    ...incoming,
    id,
    real_at: realTime.now(),
    startedAt: realTime.elapsed(),
    took_ms: null,
    status: null,
    operation: null,
    object_type: null,
    object_id: null,
    by: null,
    faults: NO_FAULTS,
    record: null,
  }
}

function shortenTexts(call: IncomingCall): IncomingCall {
  if (textLength(call) <= MAX_TEXT_CHARACTERS) return call
  const { path, query, user_agent } = call
  return {
    ...call,
    path: shortCopy(path),
    query: shortCopy(query),
    user_agent: user_agent === null ? null : shortCopy(user_agent),
  }
}

/** Copies a truncated text, because a slice would keep the long text in memory. With `…`, the copy would take twice the memory. */
function shortCopy(text: string): string {
  const cut = text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}...` : text
  return Buffer.from(cut).toString()
}

export function textLength({ path, query, user_agent }: IncomingCall): number {
  return path.length + query.length + (user_agent?.length ?? 0)
}

export function toRequestRecord(call: ReceivedCall): RequestRecord {
  const { at, real_at, startedAt: _, record: __, path, query, ...rest } = call
  return { ...rest, at: timestamp(at), real_at: timestamp(real_at), path: path + withoutSecrets(query) }
}

function withoutSecrets(query: string): string {
  const parameters = [...new URLSearchParams(query)]
  const isSecret = ([name]: readonly [string, string]) => /secret|token|password/i.test(name)
  if (!parameters.some(isSecret)) return query
  const shown = parameters.map((pair) => (isSecret(pair) ? [pair[0], '***'] : pair))
  return `?${new URLSearchParams(shown).toString()}`
}
