import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import type { Validator } from '../../../spec/validator.ts'
import type { ApiFaults } from '../../engine/faults/api-faults.ts'
import type { Decision, Reply, Stream } from '../operations/operation.ts'
import type { PresentValues } from '../operations/present-values.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import { StorageError } from '../../engine/state/log.ts'
import type { OpenCall } from '../../engine/state/request-log.ts'
import { ConflictError } from '../../engine/state/store.ts'
import type { Translator } from '../../../spec/vocabulary.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { authenticate, type Keys } from './authenticate.ts'
import { errorReply, type ErrorReadings } from './error-bodies.ts'
import { eventStream, type StreamedEvent } from './event-stream.ts'
import { readInput, type Input } from './read-input.ts'
import type { Write } from '../../engine/state/write.ts'
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
  readonly realTime: RealTime
  /** When the sandbox closes: what would never end by itself ends then. */
  readonly closing: AbortSignal
  /** Puts a request on record; none is if left out. */
  readonly beginCall?: ((request: Request) => OpenCall) | undefined
  /** Answers as faults make it answer; as it should if left out. */
  readonly faults?: ApiFaults | undefined
  /** Called with what should not happen: a bug in the sandbox, or a store that fails. */
  readonly onError: (operation: string, error: unknown) => void
}

/** What carrying out a decision takes. */
export interface CarryOutPorts<Actions> {
  readonly validators: Readonly<Record<string, Validator<unknown>>>
  /** What may be done before a decision. */
  readonly actions: Actions
  /** Takes the writes at once and resolves when they are durable. */
  readonly commit: (writes: readonly Write[]) => Promise<void>
}

export type Decide<Actions> = (input: Input) => Decision<unknown, Actions>

interface IncomingCall {
  readonly request: Request
  readonly path: Input['path']
  readonly call: OpenCall | undefined
}

/** Answers one request, as faults make it answer. Never rejects. */
export function answer<Actions>(
  route: { readonly row: OperationRow; readonly decide: Decide<Actions> },
  incoming: IncomingCall,
  ports: PipelinePorts<Actions>,
): Promise<Response> {
  const { row } = route
  const { request, path, call } = incoming
  const object = findObject(row, path)
  call?.setOperation(row.id, object)
  const withoutFaults = () => answerWithoutFaults(route, incoming, ports)
  if (!ports.faults) return withoutFaults()
  return ports.faults.answer(
    {
      operation: row.id,
      secured: row.auth.length > 0,
      hasToken: /^bearer \S/i.test(request.headers.get('authorization') ?? ''),
      method: request.method,
      path: new URL(request.url).pathname,
      object_type: object.type,
      object_id: object.id,
      signal: () => createAbortSignal(request, ports),
      refuse: (error) => toErrorResponse(row, error, ports),
      onFaults: (faults) => call?.setFaults(faults),
    },
    withoutFaults,
  )
}

/** Aborts when the caller is gone or the sandbox closes. */
function createAbortSignal<Actions>(request: Request, { closing }: PipelinePorts<Actions>): AbortSignal {
  return AbortSignal.any([request.signal, closing])
}

/** The object that a call is about, by its path: `/items/{id}/make_payment` is about an item, if it names one. */
function findObject(
  { path }: OperationRow,
  { id }: Input['path'],
): { readonly type: NotifiedType | null; readonly id: string | null } {
  const [, collection = ''] = path.split('/')
  // Each kind of account is one of the accounts. Source: §2.2
  const type = isNotifiedType(collection)
    ? collection
    : /^(bank|card|wallet)_accounts$/.test(collection)
      ? 'accounts'
      : null
  return { type, id: type === null ? null : (id ?? null) }
}

/** Authenticate, look whether the operation is there, read, decide, check the reply, commit, reply. */
async function answerWithoutFaults<Actions>(
  { row, decide }: { readonly row: OperationRow; readonly decide: Decide<Actions> },
  { request, path, call }: IncomingCall,
  ports: PipelinePorts<Actions>,
): Promise<Response> {
  try {
    const who = await authenticate(row, request, ports.keys)
    if (who !== undefined) call?.setCaller(who)
    if (ports.isLacking(row.id)) throw new ApiError('unknown-route', 'Not Found')
    const validator = row.body ? ports.validators[row.body.schema] : undefined
    const input = await readInput(row, request, {
      path,
      validator,
      findUrlProblem: ports.findUrlProblem,
      present: ports.presentValues(row.id),
      translator: ports.translator,
    })
    const reply = await carryOut(row, decide(input), ports)
    if (reply.kind === 'stream') {
      const { realTime } = ports
      return eventStream(checkStream(row, reply, ports), {
        realTime,
        signal: createAbortSignal(request, ports),
      })
    }
    return json(reply.status, ports.translator.outward(reply.body))
  } catch (error) {
    return toErrorResponse(row, error, ports)
  }
}

/**
 * Has done what a decision waits for, until it is a reply, checks that and commits its writes. The last decision, the check
 * and the commit are one turn: nothing can change between what was decided on and what is written.
 */
export async function carryOut<Actions>(
  row: OperationRow,
  decision: Decision<unknown, Actions>,
  ports: CarryOutPorts<Actions>,
): Promise<Reply<unknown> | Stream<unknown>> {
  let step = decision
  while (step.kind === 'perform-first') {
    const decide = await step.perform(ports.actions)
    step = decide()
  }
  if (step.kind === 'stream') return step
  checkReply(row, step, ports)
  if (step.writes.length > 0) await ports.commit(step.writes)
  return step
}

/** Events are checked as replies are. */
function checkStream<Actions>(
  row: OperationRow,
  { follow, after }: Stream<unknown>,
  ports: PipelinePorts<Actions>,
): Stream<StreamedEvent> {
  return {
    kind: 'stream',
    after,
    follow: (listener) =>
      follow((event) => {
        checkReply(row, { status: 200, body: event }, ports)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked just above
        listener(event as StreamedEvent)
      }),
  }
}

/** Throws for a reply that breaks the spec, which is a bug in the sandbox. */
function checkReply(
  row: OperationRow,
  reply: Pick<Reply<unknown>, 'status' | 'body'>,
  ports: { readonly validators: Readonly<Record<string, Validator<unknown>>> },
): void {
  const name = row.responses[reply.status] ?? row.responses['default']
  const validator = name === undefined ? undefined : ports.validators[name]
  if (!validator) throw new Error(`Cannot answer ${row.id} with ${reply.status}: the spec has no such reply`)
  if (validator(reply.body)) return
  throw new Error(
    `Cannot answer ${row.id} with ${reply.status}: not a ${name}: ${JSON.stringify(validator.errors)}`,
  )
}

function toErrorResponse<Actions>(
  row: OperationRow,
  error: unknown,
  ports: PipelinePorts<Actions>,
): Response {
  const expected = toApiError(error)
  if (expected) {
    const { status, body } = errorReply(expected, row.errors, ports.errorReadings())
    checkReply(row, { status, body }, ports)
    const headers =
      status === 401
        ? { 'www-authenticate': row.auth.includes('basic') ? 'Bearer, Basic' : 'Bearer' }
        : undefined
    return json(status, ports.translator.outward(body), headers)
  }
  ports.onError(row.id, error)
  return json(500, { error: { code: 'internal', message: 'The sandbox failed; see its log' } })
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  // Two requests passed the check at the same time; the store let one of them through.
  if (error instanceof ConflictError)
    return new ApiError('conflict', { field: 'object_type', message: error.message }, { cause: error })
  if (error instanceof StorageError && error.kind === 'full') {
    return new ApiError('storage-full', error.message, { cause: error })
  }
  return undefined
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
