import type { Inputs, OperationId, Outputs } from '../../spec/generated/control-operations.ts'
import type { Item } from '../../spec/generated/service-types.ts'
import type { Validator } from '../../spec/validator.ts'
import type { Context, Decision } from '../operations/operation.ts'
import type { Clock } from '../ports.ts'

/** One operation of the control API; decides like an operation of the service. */
export type ControlOperation<Id extends OperationId> = (
  input: Inputs[Id],
  context: ControlContext,
) => Decision<Outputs[Id]>

export type ControlOperations = { readonly [Id in OperationId]: ControlOperation<Id> }

export interface ControlContext extends Context {
  readonly clock: Clock
  /** Where the service API listens, once it does. */
  readonly serviceUrl: () => string
  readonly validators: { readonly items: Validator<Item> }
}
