import type { OperationRow } from '../../spec/operations.ts'
import type { Validator } from '../../spec/validator.ts'
import type { Decision, Reply, Write } from '../operations/operation.ts'
import type { Exchange } from '../ports.ts'
import type { Generation } from '../state/entries.ts'
import { ConflictError } from '../state/store.ts'
import { StorageError } from '../state/log.ts'
import { ApiError } from './api-error.ts'
import { authenticate, type Keys } from './authenticate.ts'
import { errorReply } from './error-bodies.ts'
import type { Translator } from '../vocabulary.ts'
import { readInput, type Input } from './read-input.ts'

/** What the pipeline asks for, so that operations need not do anything themselves. */
export interface PipelinePorts {
  readonly keys: Keys
  /** Whether the environment is without the operation, as if there were no such route. */
  readonly isLacking: (operation: string) => boolean
  readonly validators: Readonly<Record<string, Validator<unknown>>>
  /** Says what leaves and what comes in other words. */
  readonly translator: Translator
  /** What is wrong with a receiver's URL, if anything is. */
  readonly judgeUrl: (raw: string) => string | undefined
  readonly testPost: (url: string, generation: Generation) => Promise<Exchange>
  readonly issueToken: () => Promise<string>
  /** Moves the clock to `to` and tells how many attempts were made on the way. */
  readonly advance: (to: number) => Promise<number>
  /** Takes the writes at once and resolves when they are durable. */
  readonly commit: (writes: readonly Write[]) => Promise<void>
  /** Told of what should not happen: a bug of ours, or a store that fails. */
  readonly onError: (operation: string, error: unknown) => void
}

export type Decide = (input: Input) => Decision<unknown>

/** Answers one request: authenticate, look whether the operation is there, read, decide, check the reply, commit, reply. Never rejects. */
export async function answer(
  { row, decide }: { readonly row: OperationRow; readonly decide: Decide },
  { request, path }: { readonly request: Request; readonly path: Input['path'] },
  ports: PipelinePorts,
): Promise<Response> {
  try {
    await authenticate(row, request, ports.keys)
    if (ports.isLacking(row.id)) throw new ApiError('unknown-route', 'Not Found')
    const validator = row.body ? ports.validators[row.body.schema] : undefined
    const input = await readInput(row, request, {
      path,
      validator,
      judgeUrl: ports.judgeUrl,
      inward: ports.translator.inward,
    })
    const reply = await carryOut(row, decide(input), ports)
    return json(reply.status, ports.translator.outward(reply.body))
  } catch (error) {
    return refusal(row, error, ports)
  }
}

/**
 * Finds out what a decision waits for, until it is a reply, checks that and commits its writes. The last decision, the check
 * and the commit are one turn: nothing can change between what was decided on and what is written.
 */
async function carryOut(
  row: OperationRow,
  decision: Decision<unknown>,
  ports: PipelinePorts,
): Promise<Reply<unknown>> {
  let step = decision
  while (step.kind !== 'reply') {
    switch (step.kind) {
      case 'test-post-first':
        step = step.decide(await ports.testPost(step.url, step.generation))
        break
      case 'token-first':
        step = step.decide(await ports.issueToken())
        break
      case 'advance-first':
        step = step.decide(await ports.advance(step.to))
        break
      default:
        step satisfies never
    }
  }
  checkReply(row, step, ports)
  if (step.writes.length > 0) await ports.commit(step.writes)
  return step
}

/** A reply that breaks the spec is our bug. */
function checkReply(
  row: OperationRow,
  reply: Pick<Reply<unknown>, 'status' | 'body'>,
  ports: PipelinePorts,
): void {
  const name = row.responses[reply.status] ?? row.responses['default']
  const validator = name === undefined ? undefined : ports.validators[name]
  if (!validator) throw new Error(`Cannot answer ${row.id} with ${reply.status}: the spec has no such reply`)
  if (validator(reply.body)) return
  throw new Error(
    `Cannot answer ${row.id} with ${reply.status}: not a ${name}: ${JSON.stringify(validator.errors)}`,
  )
}

function refusal(row: OperationRow, error: unknown, ports: PipelinePorts): Response {
  const expected = apiErrorOf(error)
  if (expected) {
    const { status, body } = errorReply(expected, row.errors)
    checkReply(row, { status, body }, ports)
    const headers =
      status === 401
        ? { 'www-authenticate': row.auth.includes('basic') ? 'Bearer, Basic' : 'Bearer' }
        : undefined
    return json(status, ports.translator.outward(body), headers)
  }
  ports.onError(row.id, error)
  return json(500, { error: { code: 'internal', message: 'The sandbox failed; its log says how' } })
}

function apiErrorOf(error: unknown): ApiError | undefined {
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
