import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

interface Schema {
  readonly properties: Readonly<Record<string, unknown>> & {
    readonly kind: { readonly enum: readonly string[] }
    readonly type: { readonly enum: readonly string[] }
    readonly what: { readonly enum: readonly string[] }
  }
}

/** The schemas of the control API, as they are written. */
export const CONTROL_SCHEMAS = parse(
  readFileSync(new URL('../../spec/control.yaml', import.meta.url), 'utf8'),
).components.schemas as Readonly<Record<'Event' | 'FaultMatch' | 'FaultRequest' | 'Waiting', Schema>>
