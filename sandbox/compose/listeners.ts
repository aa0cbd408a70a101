import {
  OPERATIONS as CONTROL_OPERATIONS,
  type Inputs,
  type Outputs,
} from '../../spec/generated/control-operations.ts'
import { OPERATIONS } from '../../spec/generated/service-operations.ts'
import { controlValidators, validators } from '../../spec/validators.ts'
import type { OperationRow } from '../../spec/operations.ts'
import type { ControlActions, ControlContext } from '../api/control/operation.ts'
import { controlOperations } from '../api/control/operations.ts'
import type { ApiFaults } from '../engine/faults/api-faults.ts'
import {
  createApp,
  unknownControlRoute,
  unknownServiceRoute,
  type FetchHandler,
  type Route,
} from '../api/http/app.ts'
import { carryOut, type CarryOutPorts, type Decide, type PipelinePorts } from '../api/http/pipeline.ts'
import { checkBody } from '../api/http/read-input.ts'
import type { Context } from '../api/operations/operation.ts'
import { operations } from '../api/operations/operations.ts'
import { completeInput, type Perform } from './perform.ts'
import type { RequestLog } from '../engine/state/request-log.ts'
import { plainWords } from '../../spec/vocabulary.ts'
import { timestamp } from '../engine/core/timestamp.ts'

export interface ListenersPorts extends Omit<PipelinePorts<ControlActions>, 'validators' | 'translator'> {
  readonly context: ControlContext
  readonly requests: RequestLog
  readonly faults: ApiFaults
}

/** The two listeners as functions of a request, and the bench's operations as functions of their input. */
export interface Listeners {
  readonly service: FetchHandler
  readonly bench: FetchHandler
  /** Does what the bench does, within this process. Throws ApiError where it refuses. */
  readonly perform: Perform
  /** The same, but the objects that it stores notify nobody. */
  readonly performSilently: Perform
}

export function createListeners({ requests, faults, context, ...ports }: ListenersPorts): Listeners {
  const beginCall = ({ method, url, headers }: Request) =>
    requests.begin({ at: timestamp(context.now()), method, url, user_agent: headers.get('user-agent') })
  const bench = { ...ports, validators: controlValidators }
  return {
    service: createApp(
      toRoutes(OPERATIONS, operations, context),
      { ...ports, validators, translator: context.translator, beginCall, faults },
      unknownServiceRoute,
    ),
    bench: createApp(
      toRoutes(CONTROL_OPERATIONS, controlOperations, context),
      // The bench speaks the document's own words.
      { ...bench, translator: plainWords },
      unknownControlRoute,
    ),
    perform: createPerform(context, bench),
    performSilently: createPerform(context, {
      ...bench,
      commit: (writes) =>
        bench.commit(writes.map((write) => (write.kind === 'object' ? { ...write, silent: true } : write))),
    }),
  }
}

function createPerform(context: ControlContext, ports: CarryOutPorts<ControlActions>): Perform {
  return async (id, ...[given]) => {
    const row: OperationRow = CONTROL_OPERATIONS[id]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the type lets a caller leave out has been filled in
    const input = completeInput(id, given) as Inputs[typeof id]
    checkBody(row, input.body, ports.validators)
    const reply = await carryOut(row, controlOperations[id](input, context), ports)
    if (reply.kind === 'stream') throw new TypeError(`Cannot perform ${id}: its reply never ends`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the operation's schema just above
    return reply.body as Outputs[typeof id]
  }
}

type Handlers<Id extends string, Given extends Context, Actions> = {
  readonly [Name in Id]: (input: never, context: Given) => ReturnType<Decide<Actions>>
}

function toRoutes<Id extends string, Given extends Context>(
  table: Readonly<Record<Id, OperationRow>>,
  handlers: Handlers<Id, Given, ControlActions>,
  context: Given,
): Route<ControlActions>[] {
  return Object.values<OperationRow>(table).map((row) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Handlers` has one for each row; its input is checked against the row
    const handler = handlers[row.id as Id] as (
      input: unknown,
      context: Given,
    ) => ReturnType<Decide<ControlActions>>
    return { row, decide: (input) => handler(input, context) }
  })
}
