import type { Schemas } from './generated/tolerant-types.ts'
import { createValidators } from './schema-validator.ts'
import { serviceSchemas } from './schemas.ts'
import { relaxSchemas } from './tolerant.ts'
import type { Validators } from './validator.ts'

/** Validators with room for what is not known yet. Apart from the strict ones, as a sandbox needs only those when it starts. */
export const tolerantValidators: Validators<Schemas> = createValidators(relaxSchemas(serviceSchemas))
