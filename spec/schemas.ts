import control from './generated/control.json' with { type: 'json' }
import openapi from './generated/openapi.json' with { type: 'json' }
import type { JsonSchemas } from './json-schema.ts'

export const serviceSchemas: JsonSchemas = openapi.components.schemas

export const controlSchemas: JsonSchemas = control.components.schemas
