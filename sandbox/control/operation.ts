import type { Inputs, OperationId, Outputs } from '../../spec/generated/control-operations.ts'
import type { Validator } from '../../spec/validator.ts'
import type { Context, Decision } from '../operations/operation.ts'
import type { Clock } from '../ports.ts'
import type { ChosenReadings } from '../settings.ts'

/** One operation of the control API; decides like an operation of the service. */
export type ControlOperation<Id extends OperationId> = (
  input: Inputs[Id],
  context: ControlContext,
) => Decision<Outputs[Id]>

export type ControlOperations = { readonly [Id in OperationId]: ControlOperation<Id> }

export interface ControlContext extends Context {
  readonly clock: Clock
  /** What was chosen of the readings, as a user writes it. */
  readonly chosenReadings: () => ChosenReadings
  /** Where the service API listens, once it does. */
  readonly serviceUrl: () => string
  /** By the name of the schema. */
  readonly validators: Readonly<Record<string, Validator<unknown>>>
}
