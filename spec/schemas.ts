import control from './generated/control.json' with { type: 'json' }
import openapi from './generated/openapi.json' with { type: 'json' }
import type { JsonSchemas } from './json-schema.ts'

/** The schemas of the service's document. */
export const serviceSchemas: JsonSchemas = openapi.components.schemas

/** The schemas of the control API. */
export const controlSchemas: JsonSchemas = control.components.schemas
