import type { Schemas } from './generated/tolerant-types.ts'
import { createValidators } from './schema-validator.ts'
import { serviceSchemas } from './schemas.ts'
import { relaxSchemas } from './tolerant.ts'
import type { Validators } from './validator.ts'

/** The validators that accept unknown fields. This file is separate, because the sandbox does not need it at start. */
export const tolerantValidators: Validators<Schemas> = createValidators(relaxSchemas(serviceSchemas))
