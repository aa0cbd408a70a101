import { OPERATIONS } from '../../spec/generated/control-operations.ts'
import type { Perform } from '../compose/perform.ts'
import type { ControlAddress } from './control-address.ts'
import { FIVE_MINUTES_MS } from './deadlines.ts'
import { createHttpCall, type HttpCall } from './http-call.ts'
import { readJson, readRefusal, RefusedError, send, toPathSegment } from './requests.ts'
import type { OperationRow } from '../../spec/rows.ts'

interface ClientOptions {
  readonly signal?: AbortSignal
  /** Replaces the HTTP call for all operations. The default HTTP call has no time limit for slow operations. */
  readonly through?: HttpCall
  /** A past time on the sandbox clock. With a past time, lists show the state at this time, and changes are rejected. */
  readonly at?: string | undefined
}

interface AnyInput {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

/** Creates a client whose calls reject with RefusedError or UnreachableError. */
export function createControlClient(
  { url, token, world, trustedCas }: ControlAddress,
  { through, signal, at }: ClientOptions = {},
): Perform {
  const callQuick = through ?? createHttpCall({ trustedCas, idleMs: FIVE_MINUTES_MS })
  const callSlow = through ?? createHttpCall({ trustedCas })
  return async (id, ...[input]) => {
    const { method, path, slow, query }: OperationRow = OPERATIONS[id]
    if (at !== undefined && method !== 'GET')
      throw new RefusedError(`Cannot change anything at ${at}: the past is read-only`)
    const past = at !== undefined && 'at' in query && { at }
    const given = (input ?? {}) as AnyInput
    const target = url + fillPath(path, given.path) + searchText({ ...given.query, ...past })
    const call = { method, token, world, body: given.body, signal, through: slow ? callSlow : callQuick }
    const response = await send(target, call)
    if (response.ok) return readJson(response)
    throw await readRefusal(response, url)
  }
}

/** Widens the type of `perform` for operations that are known only at run time. The sandbox validates the input. */
export const toPerformAny = (perform: Perform) =>
  perform as (operation: string, input: Partial<Record<keyof AnyInput, unknown>>) => Promise<unknown>

function fillPath(path: string, values: AnyInput['path'] = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toPathSegment(values[name] ?? '', name))
}

function searchText(query: AnyInput['query'] = {}): string {
  const fields = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields).toString()}`
}
