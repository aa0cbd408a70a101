import {
  OPERATIONS,
  type Inputs,
  type OperationId,
  type Outputs,
} from '../../spec/generated/control-operations.ts'
import type { OperationRow } from '../../spec/rows.ts'

export type ControlOperationId = Exclude<OperationId, 'streamEvents'>

type PathInput<Path> = keyof Path extends never ? { readonly path?: Path } : { readonly path: Path }
type QueryInput<Query> = { readonly query?: Partial<Query> }
type BodyInput<Body> = [Body] extends [undefined] ? { readonly body?: undefined } : { readonly body: Body }

/** The input of an operation. Parts that the operation does not use are optional. Query fields with defaults are also optional. */
export type OperationInput<Id extends ControlOperationId> = PathInput<Inputs[Id]['path']> &
  QueryInput<Inputs[Id]['query']> &
  BodyInput<Inputs[Id]['body']>

type OperationArguments<Id extends ControlOperationId> =
  object extends OperationInput<Id> ? [input?: OperationInput<Id>] : [input: OperationInput<Id>]

export type Perform = <Id extends ControlOperationId>(
  id: Id,
  ...input: OperationArguments<Id>
) => Promise<Outputs[Id]>

export function completeInput<Id extends ControlOperationId>(id: Id, input: OperationInput<Id> | undefined) {
  const row: OperationRow = OPERATIONS[id]
  const defaults = Object.entries(row.query).flatMap(([name, { fallback }]) =>
    fallback === null ? [] : [[name, fallback]],
  )
  return { path: {}, body: undefined, ...input, query: { ...Object.fromEntries(defaults), ...input?.query } }
}
