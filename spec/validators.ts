import { CONFIG_SCHEMAS } from './generated/config-schemas.ts'
import type { Schemas as ConfigSchemas } from './generated/config-types.ts'
import type { Schemas as ControlSchemas } from './generated/control-types.ts'
import type { Schemas } from './generated/service-types.ts'
import { createValidators } from './schema-validator.ts'
import { controlSchemas, serviceSchemas } from './schemas.ts'
import type { Validators } from './validator.ts'

/** Requests are flat, so that everything that is wrong with one can be said at once. */
const isRequest = (name: string) => name.endsWith('Request')

/** One validator for each schema: exactly what the service sends and takes. */
export const validators: Validators<Schemas> = createValidators(serviceSchemas, isRequest)

/** One for each schema of the control API. */
export const controlValidators: Validators<ControlSchemas> = createValidators(controlSchemas, isRequest)

/** One for each part of the configuration, which is nobody else's: all that is wrong with it is said at once. */
export const configValidators: Validators<ConfigSchemas> = createValidators(CONFIG_SCHEMAS, () => true)
