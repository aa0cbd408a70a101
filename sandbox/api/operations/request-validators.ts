import { callbackTypes } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { createValidators } from '../../../spec/schema-validator.ts'
import { serviceSchemas } from '../../../spec/schemas.ts'
import type { Validator } from '../../../spec/validator.ts'

type CallbackList = ReadingValues['callback-list']
type ValidatorByName = Readonly<Record<string, Validator<unknown>>>

const byList: Readonly<Record<CallbackList, ValidatorByName>> = {
  current: callbackValidators('current'),
  earlier: callbackValidators('earlier'),
}

/** Creates validators that accept only the object types of a callback list. Source: §2.2 */
function callbackValidators(list: CallbackList): ValidatorByName {
  const { CreateCallbackRequest = {}, UpdateCallbackRequest = {}, CallbackObjectType } = serviceSchemas
  const narrowed = { ...CallbackObjectType, enum: callbackTypes(list) }
  const schemas = { CreateCallbackRequest, UpdateCallbackRequest, CallbackObjectType: narrowed }
  return createValidators<Record<string, unknown>>(schemas, () => true)
}

/** Returns the validator of a request under the current readings. Reading: callback-list */
export function requestValidator(
  schema: string,
  readings: ReadingValues,
  validators: ValidatorByName,
): Validator<unknown> | undefined {
  return byList[readings['callback-list']][schema] ?? validators[schema]
}
