import type { Schemas } from './generated/tolerant-types.ts'
import { createValidators } from './schema-validator.ts'
import { serviceSchemas } from './schemas.ts'
import { relaxSchemas } from './tolerant.ts'
import type { Validators } from './validator.ts'

/**
 * Validators that also accept unknown fields, states and kinds. The tolerant validators are in a separate file, because the
 * sandbox does not need them when it starts.
 */
export const tolerantValidators: Validators<Schemas> = createValidators(relaxSchemas(serviceSchemas))
