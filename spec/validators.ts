import { CONFIG_SCHEMAS } from './generated/config-schemas.ts'
import type { Schemas as ConfigSchemas } from './generated/config-types.ts'
import type { Schemas as ControlSchemas } from './generated/control-types.ts'
import type { Schemas } from './generated/service-types.ts'
import { createValidators } from './schema-validator.ts'
import { controlSchemas, serviceSchemas } from './schemas.ts'
import type { Validators } from './validator.ts'

/** Returns true for the schema of a request. Requests are flat, so all errors of a request can be reported at once. */
const isRequest = (name: string) => name.endsWith('Request')

export const validators: Validators<Schemas> = createValidators(serviceSchemas, isRequest)

export const controlValidators: Validators<ControlSchemas> = createValidators(controlSchemas, isRequest)

/** The validators of a configuration, which report all errors of the configuration at once. */
export const configValidators: Validators<ConfigSchemas> = createValidators(CONFIG_SCHEMAS, () => true)
