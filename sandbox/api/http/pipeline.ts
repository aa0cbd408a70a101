import { NOTIFICATIONS } from '../../../spec/generated/notifications.ts'
import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import {
  CallerGoneError,
  CUT_CONNECTION,
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
} from '../../engine/core/http.ts'
import type { AnswerWithFaults } from '../../engine/faults/api-faults.ts'
import type { Decision } from '../operations/operation.ts'
import { carryOut, type CarryOutPorts, checkReply } from './carry-out.ts'
import type { PresentValues } from '../operations/present-values.ts'
import { ConflictError, StorageError, type StorageErrorKind } from '../../engine/state/storage-error.ts'
import type { Store } from '../../engine/state/store.ts'
import type { ReceivedCall, RequestLog } from '../control/requests.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import { ApiError, type ErrorCode } from '../../engine/core/api-error.ts'
import { authenticate, type Keys } from './authenticate.ts'
import { type ErrorReadings, errorReply } from './error-bodies.ts'
import type { EventStreams } from './event-stream.ts'
import { type Input, readInput, refuseUnknownParameters } from './read-input.ts'
import type { AppliedFault } from '../../engine/state/fault.ts'
import type { ShowCache } from './show-cache.ts'
import type { OperationRow } from '../../../spec/rows.ts'

/** What the pipeline asks for, so that operations need not do anything themselves. */
export interface PipelinePorts<Actions> extends CarryOutPorts<Actions> {
  readonly keys: Keys
  /** Whether the environment is without the operation, as if there were no such route. */
  readonly isLacking: (operation: string) => boolean
  /** What refusals depend on. */
  readonly errorReadings: () => ErrorReadings
  /** The values of an operation's fields that take fewer at present than the spec lists. */
  readonly presentValues: (operation: string) => PresentValues
  /** Says what leaves and what comes in other words. */
  readonly translator: Translator
  /** What is wrong with a receiver's URL, if anything is. */
  readonly findUrlProblem: (raw: string) => string | undefined
  readonly streams: EventStreams
  /** When the sandbox closes: what would never end by itself ends then. */
  readonly closing: AbortSignal
  /** Puts calls on record; none is if left out. */
  readonly calls?: CallLog | undefined
  /** Keeps what Shows answered; nothing is kept if left out. */
  readonly shows?: ShowCache | undefined
  /** What others have committed is in it, kept or not. */
  readonly store: Pick<Store, 'problem' | 'writeNow'>
  /** Defaults to an answer without faults. */
  readonly answerWithFaults?: AnswerWithFaults | undefined
  /** Called with what should not happen: a bug in the sandbox, or a store that fails. */
  readonly onError: (operation: string, error: unknown) => void
}

export interface CallLog extends Pick<RequestLog, 'end'> {
  readonly begin: (request: HttpRequest) => ReceivedCall
}

/** Answers an operation whose body or reply is too large to be held, piece by piece. Throws ApiError where it refuses. */
export type AnswerInPieces = (request: HttpRequest) => Promise<HttpResponse>

export type Decide<Actions> = (input: Input) => Decision<unknown, Actions>

export interface Handler<Actions> {
  readonly row: OperationRow
  readonly decide: Decide<Actions>
  /** Replaces `decide` for callers through a port. */
  readonly answerInPieces?: AnswerInPieces | undefined
}

interface Route<Actions> extends Handler<Actions> {
  /** The type of the objects that its calls are about, if they are about any. */
  readonly objectType: NotifiedType | null
  /** Whether it shows an object as it is. */
  readonly isShow: boolean
}

const SHOWS: ReadonlySet<string> = new Set(Object.values(NOTIFICATIONS).map(({ show }) => show))

export function toRoute<Actions>(handler: Handler<Actions>): Route<Actions> {
  const { row } = handler
  const [, collection = ''] = row.path.split('/')
  // Each kind of account is one of the accounts. Source: §2.2
  const objectType = isNotifiedType(collection)
    ? collection
    : /^(bank|card|wallet)_accounts$/.test(collection)
      ? 'accounts'
      : null
  return { ...handler, objectType, isShow: SHOWS.has(row.id) }
}

export interface IncomingCall {
  readonly request: HttpRequest
  readonly path: Input['path']
  readonly call: ReceivedCall | undefined
}

/** Answers one request, as faults make it answer. Never rejects. */
export function answer<Actions>(
  route: Route<Actions>,
  incoming: IncomingCall,
  ports: PipelinePorts<Actions>,
): Promise<HttpResponse> {
  const { row, objectType } = route
  const { request, path, call } = incoming
  // `/items/{id}/make_payment` is about an item, if it names one.
  const objectId = objectType === null ? null : (path['id'] ?? null)
  if (call) {
    call.operation = row.id
    call.objectType = objectType
    call.objectId = objectId
  }
  const withoutFaults = () => answerWithoutFaults(route, incoming, ports)
  if (!ports.answerWithFaults) return withoutFaults()
  const toCall = () => ({
    operation: row.id,
    secured: row.auth.length > 0,
    hasToken: /^bearer \S/i.test(request.header('authorization') ?? ''),
    method: request.method,
    path: request.path,
    object_type: objectType,
    object_id: objectId,
    signal: () => createAbortSignal(request, ports),
    refuse: (error: ApiError) => toErrorResponse(row, error, ports),
    onFaults(faults: readonly AppliedFault[]) {
      if (call) call.faults = faults
    },
  })
  return ports.answerWithFaults(toCall, withoutFaults)
}

/** Aborts when the caller is gone or the sandbox closes. */
function createAbortSignal<Actions>(request: HttpRequest, { closing }: PipelinePorts<Actions>): AbortSignal {
  return AbortSignal.any([request.signal(), closing])
}

/** Authenticate, look whether the operation is there, read, decide, check the reply, commit, reply. */
async function answerWithoutFaults<Actions>(
  route: Route<Actions>,
  incoming: IncomingCall,
  ports: PipelinePorts<Actions>,
): Promise<HttpResponse> {
  const { row } = route
  const { request, path, call } = incoming
  try {
    const who = await authenticate(row, request, ports.keys)
    if (call && who !== undefined) call.by = who
    if (ports.isLacking(row.id)) throw new ApiError('unknown-route', 'Not Found')
    if (route.answerInPieces) {
      refuseUnknownParameters(row, request)
      return await route.answerInPieces(request)
    }
    const validator = row.body ? ports.validators[row.body.schema] : undefined
    const input = await readInput(row, request, {
      path,
      validator,
      findUrlProblem: ports.findUrlProblem,
      present: ports.presentValues(row.id),
      translator: ports.translator,
    })
    const { id = '' } = path
    const version =
      route.isShow && route.objectType ? ports.shows?.versionOf(route.objectType, id) : undefined
    const shown = version === undefined ? undefined : ports.shows?.find(row.id, id, version)
    if (shown !== undefined) return jsonResponse(200, shown)
    const carry = async () => carryOut(row, route.decide(input), ports)
    const { problem } = ports.store
    const reply = await carry().catch((error: unknown) => {
      ports.store.writeNow()
      // What it was refused for may be what a full disk did not take. What the disk itself refused may be there, and is not safe.
      const isRefused = toApiError(error) !== undefined && !(error instanceof StorageError)
      if (isRefused && ports.store.problem !== problem) return carry()
      throw error
    })
    if (reply.kind === 'stream') {
      const check = (body: unknown) => checkReply(row, { status: 200, body }, ports)
      return ports.streams.open(reply, { signal: createAbortSignal(request, ports), check })
    }
    const text = JSON.stringify(ports.translator.outward(reply.body))
    if (version !== undefined) ports.shows?.keep(row.id, id, { version, text })
    return jsonResponse(reply.status, text)
  } catch (error) {
    return toErrorResponse(row, error, ports)
  }
}

function toErrorResponse<Actions>(
  row: OperationRow,
  error: unknown,
  ports: PipelinePorts<Actions>,
): HttpResponse {
  const expected = toApiError(error)
  if (expected) {
    const { status, body } = errorReply(expected, row.errors, ports.errorReadings())
    checkReply(row, { status, body }, ports)
    const headers = {
      ...(status === 401 && { 'www-authenticate': row.auth.includes('basic') ? 'Bearer, Basic' : 'Bearer' }),
      ...(status === 503 && RETRY_SOON),
    }
    return jsonResponse(status, JSON.stringify(ports.translator.outward(body)), headers)
  }
  if (error instanceof CallerGoneError) return CUT_CONNECTION
  ports.onError(row.id, error)
  return jsonResponse(500, INTERNAL_ERROR)
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  // Two requests passed the check at the same time; the store let one of them through.
  if (error instanceof ConflictError)
    return new ApiError('conflict', { field: 'object_type', message: error.message }, { cause: error })
  if (!(error instanceof StorageError)) return undefined
  const code = STORAGE_CODES[error.kind]
  return code && new ApiError(code, error.message, { cause: error })
}

/** What a caller is told of a store that takes nothing; the others are 500, and end the sandbox. */
const STORAGE_CODES: Readonly<Partial<Record<StorageErrorKind, ErrorCode>>> = {
  full: 'storage-full',
  gone: 'storage-gone',
  away: 'storage-away',
}

/** In a second a standby has taken over, or PostgreSQL is back. */
export const RETRY_SOON = { 'retry-after': '1' }

const INTERNAL_ERROR = JSON.stringify({
  error: { code: 'internal', message: 'The sandbox failed; see its log' },
})
