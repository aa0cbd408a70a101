import {
  OPERATIONS,
  type Inputs,
  type OperationId,
  type Outputs,
} from '../../spec/generated/control-operations.ts'
import type { OperationRow } from '../../spec/rows.ts'

/** The operations of the control API that answer once: all but the stream of events. */
export type ControlOperation = Exclude<OperationId, 'streamEvents'>

type PathInput<Path> = keyof Path extends never ? { readonly path?: Path } : { readonly path: Path }
type QueryInput<Query> = { readonly query?: Partial<Query> }
type BodyInput<Body> = [Body] extends [undefined] ? { readonly body?: undefined } : { readonly body: Body }

/** What a caller gives an operation. What it does not take may be left out, and so may a query field with a default. */
export type OperationInput<Id extends ControlOperation> = PathInput<Inputs[Id]['path']> &
  QueryInput<Inputs[Id]['query']> &
  BodyInput<Inputs[Id]['body']>

type OperationArguments<Id extends ControlOperation> =
  object extends OperationInput<Id> ? [input?: OperationInput<Id>] : [input: OperationInput<Id>]

/** The control API as one function, whether the sandbox runs in this process or elsewhere. */
export type Perform = <Id extends ControlOperation>(
  id: Id,
  ...input: OperationArguments<Id>
) => Promise<Outputs[Id]>

/** What the operation itself takes: the input, with the defaults of what was left out. */
export function completeInput<Id extends ControlOperation>(id: Id, input: OperationInput<Id> | undefined) {
  const row: OperationRow = OPERATIONS[id]
  const defaults = Object.entries(row.query).flatMap(([name, { fallback }]) =>
    fallback === null ? [] : [[name, fallback]],
  )
  return { path: {}, body: undefined, ...input, query: { ...Object.fromEntries(defaults), ...input?.query } }
}
