import { NOTIFICATIONS } from '../../../spec/generated/notifications.ts'
import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import {
  CallerGoneError,
  CUT_CONNECTION,
  jsonResponse,
  type HttpRequest,
  type HttpResponse,
} from '../../engine/core/http.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Egress } from '../../engine/delivery/egress.ts'
import type { AnswerWithFaults } from '../../engine/faults/api-faults.ts'
import type { Decision } from '../operations/operation.ts'
import { carryOut, checkReply, type CarryOutPorts } from './carry-out.ts'
import { isLacking } from '../operations/simulation.ts'
import { ConflictError, StorageError, type StorageErrorKind } from '../../engine/state/storage-error.ts'
import type { Store } from '../../engine/state/store.ts'
import type { ReceivedCall, RequestLog } from '../control/requests.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import { ApiError, type ErrorCode } from '../../engine/core/api-error.ts'
import { authenticate, type Keys } from './authenticate.ts'
import { errorReply } from './error-bodies.ts'
import type { EventStreams } from './event-stream.ts'
import { readInput, refuseUnknownParameters, type Input } from './read-input.ts'
import type { AppliedFault } from '../../engine/state/entries.ts'
import type { ShowCache } from './show-cache.ts'
import type { OperationRow } from '../../../spec/rows.ts'
import { callbackTypes } from '../../../spec/delivery.ts'
import { createValidators } from '../../../spec/schema-validator.ts'
import { serviceSchemas } from '../../../spec/schemas.ts'
import type { Validator } from '../../../spec/validator.ts'

export interface PipelinePorts<Actions> extends CarryOutPorts<Actions> {
  readonly keys: Keys
  readonly readings: () => ReadingValues
  readonly egress: Egress
  readonly translator: Translator
  readonly streams: EventStreams
  readonly closing: AbortSignal
  readonly calls?: CallLog | undefined
  readonly shows?: ShowCache | undefined
  readonly store: Pick<Store, 'problem' | 'writeNow'>
  readonly answerWithFaults?: AnswerWithFaults | undefined
  /** Called with errors that come from sandbox bugs or store failures. */
  readonly onError: (operation: string, error: unknown) => void
}

export interface CallLog extends Pick<RequestLog, 'end'> {
  readonly begin: (request: HttpRequest) => ReceivedCall
}

/** Answers a request with a large body or reply in chunks. Throws ApiError to reject the request. */
export type AnswerInPieces = (request: HttpRequest) => Promise<HttpResponse>

export type Decide<Actions> = (input: Input) => Decision<unknown, Actions>

export interface Handler<Actions> {
  readonly row: OperationRow
  readonly decide: Decide<Actions>
  /** Answers HTTP calls in chunks, instead of `decide`. */
  readonly answerInPieces?: AnswerInPieces | undefined
}

interface OperationRoute<Actions> extends Handler<Actions> {
  /** The object type that this route handles. Null if the route does not handle objects. */
  readonly objectType: NotifiedType | null
  readonly isShow: boolean
}

const SHOWS: ReadonlySet<string> = new Set(Object.values(NOTIFICATIONS).map(({ show }) => show))

export function toRoute<Actions>(handler: Handler<Actions>): OperationRoute<Actions> {
  const { row } = handler
  const [, collection = ''] = row.path.split('/')
  // Paths of all account kinds have the object type `accounts`. Source: §2.2
  const objectType = isNotifiedType(collection)
    ? collection
    : /^(bank|card|wallet)_accounts$/.test(collection)
      ? 'accounts'
      : null
  return { ...handler, objectType, isShow: SHOWS.has(row.id) }
}

export interface RoutedRequest {
  readonly request: HttpRequest
  readonly path: Input['path']
  readonly call: ReceivedCall | undefined
}

/** Answers one request, and applies the faults that match it. The promise never rejects. */
export function answer<Actions>(
  route: OperationRoute<Actions>,
  incoming: RoutedRequest,
  ports: PipelinePorts<Actions>,
): Promise<HttpResponse> {
  const { row, objectType } = route
  const { request, path, call } = incoming
  // In `/items/{id}/make_payment`, the id belongs to the item.
  const objectId = objectType === null ? null : (path['id'] ?? null)
  if (call) {
    call.operation = row.id
    call.object_type = objectType
    call.object_id = objectId
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

function createAbortSignal<Actions>(request: HttpRequest, { closing }: PipelinePorts<Actions>): AbortSignal {
  return AbortSignal.any([request.signal(), closing])
}

async function answerWithoutFaults<Actions>(
  route: OperationRoute<Actions>,
  incoming: RoutedRequest,
  ports: PipelinePorts<Actions>,
): Promise<HttpResponse> {
  const { row } = route
  const { request, path, call } = incoming
  try {
    const who = await authenticate(row, request, ports.keys)
    if (call && who !== undefined) call.by = who
    if (isLacking(row.id, ports.readings())) throw new ApiError('unknown-route', 'Not Found')
    if (route.answerInPieces) {
      refuseUnknownParameters(row, request)
      return await route.answerInPieces(request)
    }
    const validator = row.body
      ? requestValidator(row.body.schema, ports.readings(), ports.validators)
      : undefined
    const input = await readInput(row, request, {
      path,
      validator,
      egress: ports.egress,
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
      // Repeats the decision if a full disk caused a rollback. Does not repeat the decision after a StorageError, because the
      // change may already be stored.
      const isRefused = toApiError(error) !== undefined && !(error instanceof StorageError)
      if (isRefused && ports.store.problem !== problem) return carry()
      throw error
    })
    if (reply.kind === 'stream') {
      const check = (body: unknown) => checkReply(row, { status: 200, body }, ports)
      return ports.streams.open(reply, createAbortSignal(request, ports), check)
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
    const { status, body } = errorReply(expected, row.errors, ports.readings())
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
  // Two concurrent requests both passed the check for duplicates. The store accepted only the first of the two requests.
  if (error instanceof ConflictError)
    return new ApiError('conflict', { field: 'object_type', message: error.message }, { cause: error })
  if (!(error instanceof StorageError)) return undefined
  const code = STORAGE_CODES[error.kind]
  return code && new ApiError(code, error.message, { cause: error })
}

/** The error codes for temporary storage problems. After any other storage problem, the sandbox answers 500 and stops. */
const STORAGE_CODES: Readonly<Partial<Record<StorageErrorKind, ErrorCode>>> = {
  full: 'storage-full',
  gone: 'storage-gone',
  away: 'storage-away',
}

/** The header that asks callers to retry after a second, because a standby or PostgreSQL is usually available then. */
export const RETRY_SOON = { 'retry-after': '1' }

const INTERNAL_ERROR = JSON.stringify({
  error: { code: 'internal', message: 'The sandbox failed. See the log of the sandbox' },
})

type CallbackList = ReadingValues['callback-list']
type ValidatorByName = Readonly<Record<string, Validator<unknown>>>

const byList: Readonly<Record<CallbackList, ValidatorByName>> = {
  current: callbackValidators('current'),
  earlier: callbackValidators('earlier'),
}

/** Creates validators for one of the two lists of callback types. The validators reject types outside this list. Source: §2.2 */
function callbackValidators(list: CallbackList): ValidatorByName {
  const { CreateCallbackRequest = {}, UpdateCallbackRequest = {}, CallbackObjectType } = serviceSchemas
  const narrowed = { ...CallbackObjectType, enum: callbackTypes(list) }
  const schemas = { CreateCallbackRequest, UpdateCallbackRequest, CallbackObjectType: narrowed }
  return createValidators<Record<string, unknown>>(schemas, () => true)
}

/** Returns the validator for a request, which depends on the current readings. Reading: callback-list */
function requestValidator(
  schema: string,
  readings: ReadingValues,
  validators: ValidatorByName,
): Validator<unknown> | undefined {
  return byList[readings['callback-list']][schema] ?? validators[schema]
}
