import {
  OPERATIONS as CONTROL_OPERATIONS,
  type Inputs,
  type Outputs,
} from '../../spec/generated/control-operations.ts'
import { OPERATIONS } from '../../spec/generated/service-operations.ts'
import { controlValidators, validators } from '../../spec/validators.ts'
import { plainWords } from '../../spec/vocabulary.ts'
import { toClock } from '../api/control/clock.ts'
import type { ControlActions, ControlContext } from '../api/control/operation.ts'
import { controlOperations } from '../api/control/operations.ts'
import type { AccessTokens } from '../api/http/access-tokens.ts'
import { createApp, unknownControlRoute, unknownServiceRoute } from '../api/http/app.ts'
import { carryOut, type CarryOutPorts } from '../api/http/carry-out.ts'
import { createEventStreams } from '../api/http/event-stream.ts'
import type { Decide, Handler } from '../api/http/pipeline.ts'
import { receiveSnapshot, sendSnapshot } from '../api/http/snapshot-stream.ts'
import { createShowCache } from '../api/http/show-cache.ts'
import { checkBody } from '../api/http/read-input.ts'
import type { Context } from '../api/operations/operation.ts'
import { operations } from '../api/operations/operations.ts'
import { refuseField } from '../engine/core/api-error.ts'
import type { HttpRequest } from '../engine/core/http.ts'
import type { RealTime } from '../engine/core/ports.ts'
import { shortJson } from '../engine/core/short-text.ts'
import { createApiFaults } from '../engine/faults/api-faults.ts'
import type { Gates } from '../engine/faults/gates.ts'
import type { Matcher } from '../engine/faults/matcher.ts'
import { completeInput, type Perform } from './perform.ts'
import type { Dependencies, Wiring } from './wiring.ts'
import type { OperationRow } from '../../spec/rows.ts'

interface ListenersOptions {
  readonly actions: ControlActions
  readonly accessTokens: AccessTokens
  readonly gates: Gates
  readonly matcher: Matcher
}

export function createListeners(
  { ports, settings, egress, benchToken, rootToken, everyCallNeedsToken = false, onError }: Dependencies,
  wiring: Wiring,
  { actions, accessTokens, gates, matcher }: ListenersOptions,
) {
  const { store, requests, context, commit, closing } = wiring
  const { realTime } = ports
  const shared = {
    actions,
    commit,
    store,
    streams: createEventStreams(realTime),
    closing: closing.signal,
    onError,
    keys: { accessTokens, credentials: settings.credentials, benchToken, rootToken, everyCallNeedsToken },
    readings: context.readings,
    egress,
  }
  const service = {
    ...shared,
    validators,
    translator: context.translator,
    shows: createShowCache(context.view.objectVersion),
    calls: {
      begin: (request: HttpRequest) => beginCall(request, context.clock.now(), requests),
      end: requests.end,
    },
    answerWithFaults: createApiFaults(gates, matcher, context),
  }
  // The control API uses the words of the service's document, not the words of a platform.
  const bench = { ...shared, validators: controlValidators, translator: plainWords }
  return {
    service: createApp(toHandlers(OPERATIONS, operations, context), service, unknownServiceRoute),
    bench: createApp(createBenchHandlers(actions, realTime, wiring), bench, unknownControlRoute),
    /** Performs a control operation without HTTP. Throws ApiError if the operation is rejected. */
    perform: createPerform(context, bench),
    /** Performs a control operation, but sends no notifications for its changes. */
    performSilently: createPerform(context, {
      ...bench,
      commit: (writes) =>
        commit(writes.map((write) => (write.kind === 'object' ? { ...write, silent: true } : write))),
    }),
  }
}

function createPerform(context: ControlContext, ports: CarryOutPorts<ControlActions>): Perform {
  return async (id, ...[given]) => {
    const row: OperationRow = CONTROL_OPERATIONS[id]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `completeInput` has added all optional parts
    const input = completeInput(id, given) as Inputs[typeof id]
    checkPath(row, input.path)
    checkBody(row, input.body, ports.validators)
    const reply = await carryOut(row, controlOperations[id](input, context), ports)
    if (reply.kind === 'stream') throw new TypeError(`Cannot perform ${id}: its reply never ends`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reply was just checked against the schema of the operation
    return reply.body as Outputs[typeof id]
  }
}

/** Throws ApiError for a path value that is not text. Only calls without HTTP can pass others. */
function checkPath({ params }: OperationRow, path: object): void {
  for (const name of params) {
    const value: unknown = Reflect.get(path, name)
    if (typeof value !== 'string') refuseField(name, `"${name}" takes text, not ${shortJson(value)}`)
  }
}

function createBenchHandlers(actions: ControlActions, realTime: RealTime, { context }: Wiring) {
  const inPieces = new Map([
    ['getSnapshot', sendSnapshot(actions, realTime)],
    ['putSnapshot', receiveSnapshot(actions, realTime, () => toClock(context.clock))],
  ])
  return toHandlers(CONTROL_OPERATIONS, controlOperations, context).map((handler) => ({
    ...handler,
    answerInPieces: inPieces.get(handler.row.id),
  }))
}

type Handlers<Id extends string, OwnContext extends Context, Actions> = {
  readonly [Name in Id]: (input: never, context: OwnContext) => ReturnType<Decide<Actions>>
}

function toHandlers<Id extends string, OwnContext extends Context>(
  table: Readonly<Record<Id, OperationRow>>,
  handlers: Handlers<Id, OwnContext, ControlActions>,
  context: OwnContext,
): Handler<ControlActions>[] {
  return Object.values<OperationRow>(table).map((row) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Handlers` has a handler for each row, and its input is checked against the row
    const handler = handlers[row.id as Id] as (
      input: unknown,
      context: OwnContext,
    ) => ReturnType<Decide<ControlActions>>
    return { row, decide: (input) => handler(input, context) }
  })
}

function beginCall(
  { method, path, query, header }: HttpRequest,
  at: number,
  { begin }: Pick<Wiring['requests'], 'begin'>,
) {
  return begin({ at, method, path, query, user_agent: header('user-agent') ?? null })
}
