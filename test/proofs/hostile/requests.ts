import * as fc from 'fast-check'
import { OPERATIONS as CONTROL } from '../../../spec/generated/control-operations.ts'
import { OPERATIONS as SERVICE } from '../../../spec/generated/service-operations.ts'
import type { OperationRow } from '../../../spec/rows.ts'
import { controlSchemas, serviceSchemas } from '../../../spec/schemas.ts'
import type { CheckedSchema } from '../../../spec/validator.ts'
import { BROKEN_JSON, hostileText, hostileValue } from './values.ts'
import { weighted } from '../weighted.ts'

export type ListenerName = 'service' | 'bench'

/** The bytes of a request. `HOST` and `TOKEN` are placeholders for the listener's host and token. */
export interface HostileRequest {
  readonly head: string
  readonly body: Buffer
  /** True if the client ends the connection. Otherwise, the sandbox waits for the rest of an incomplete request. */
  readonly isEnded: boolean
}

const ROWS: Readonly<Record<ListenerName, readonly OperationRow[]>> = {
  service: Object.values(SERVICE),
  bench: Object.values(CONTROL),
}
const SCHEMAS: Readonly<Record<ListenerName, Readonly<Record<string, CheckedSchema>>>> = {
  service: serviceSchemas,
  bench: controlSchemas,
}

/** Bytes that are not HTTP. `test/end-to-end/inputs/calls.test.ts` tests the known ways to break a request. */
const randomBytes: fc.Arbitrary<HostileRequest> = fc
  .string({ unit: 'binary', maxLength: 60 })
  .map((text) => ({ head: `${text}\r\n\r\n`, body: Buffer.alloc(0), isEnded: true }))

/** Draws a random, nearly always invalid request to a listener. */
export function hostileRequests(listener: ListenerName): fc.Arbitrary<HostileRequest> {
  return weighted(
    [8, fc.constantFrom(...ROWS[listener]).chain((row) => requestOf(row, listener))],
    [1, randomBytes],
  )
}

interface Parts {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: Buffer
}

function requestOf(row: OperationRow, listener: ListenerName): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      method: weighted(
        [9, fc.constant(row.method)],
        [1, fc.constantFrom('PUT', 'TRACE', 'OPTIONS', 'DELETE', 'PATCH', 'QUERY', 'POST')],
      ),
      target: fc.tuple(pathOf(row), queryOf(row)).map(([path, query]) => path + query),
      authorization: authorizationOf(),
      type: typeOf(),
      other: weighted([5, fc.constant([])], [1, fc.constantFrom(...ODD_HEADERS)]),
      body: bodyOf(row, listener),
    })
    .map(({ method, target, authorization, type, other, body }) => {
      const headers = ['Host: HOST', ...authorization, ...type, ...other]
      return toWire({
        method,
        target,
        headers,
        body: row.body || body.length % 3 === 0 ? body : Buffer.alloc(0),
      })
    })
}

function toWire({ method, target, headers, body }: Parts): HostileRequest {
  const length = body.length > 0 ? [`Content-Length: ${body.length}`] : []
  const lines = [`${method} ${target} HTTP/1.1`, ...headers, ...length, 'Connection: close', '', '']
  return { head: lines.join('\r\n'), body, isEnded: false }
}

const ODD_HEADERS: readonly (readonly string[])[] = [
  ['Origin: https://evil.test'],
  ['Origin: null'],
  ['Sec-Fetch-Site: cross-site'],
  ['X-HTTP-Method-Override: DELETE'],
  ['X-Forwarded-Host: evil.test'],
  ['Host: evil.test'],
  ['Content-Encoding: gzip'],
  ['Cookie: a=b'],
  ['Range: bytes=0-1'],
  ['Last-Event-ID: ../../x'],
  [`Accept-Language: ${'x'.repeat(4_000)}`],
  ['User-Agent: Hookbench-Delivery/0.1'],
]

function authorizationOf(): fc.Arbitrary<readonly string[]> {
  return weighted(
    [6, fc.constant(['Authorization: Bearer TOKEN'])],
    [
      1,
      fc.constantFrom(
        [],
        ['Authorization: '],
        ['Authorization: Bearer'],
        ['Authorization: Bearer x'],
        ['Authorization: Basic eDp4'],
        ['Authorization: Bearer TOKEN', 'Authorization: Bearer x'],
        ['Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJzYW5kYm94In0.'],
        [`Authorization: Bearer ${'x'.repeat(9_000)}`],
      ),
    ],
  )
}

function typeOf(): fc.Arbitrary<readonly string[]> {
  return weighted(
    [8, fc.constant(['Content-Type: application/json'])],
    [
      1,
      fc.constantFrom(
        [],
        ['Content-Type: '],
        ['Content-Type: text/plain'],
        ['Content-Type: multipart/form-data; boundary=x'],
        ['Content-Type: application/json; charset=utf-16'],
        ['Content-Type: application/jsonx'],
        ['Content-Type: application/x-www-form-urlencoded'],
      ),
    ],
  )
}

function pathOf({ path }: OperationRow): fc.Arbitrary<string> {
  const names = path.match(/\{\w+\}/g) ?? []
  const segment = fc.oneof(
    hostileText.map((text) => encodeSegment(text)),
    fc.constantFrom(
      'items',
      'users',
      'card-payin',
      '..',
      '.',
      '%00',
      '%ff',
      '%2e%2e',
      '%',
      '%zz',
      'a'.repeat(3_000),
    ),
  )
  const known = fc.tuple(...names.map(() => segment)).map((values) => {
    let index = 0
    return path.replaceAll(/\{\w+\}/g, () => values[index++] ?? '')
  })
  return weighted(
    [12, known],
    [1, known.map((text) => `${text}/`)],
    [1, fc.constantFrom('//', '/..', '/%2e%2e/', '/control/../control/faults', '/.git/config')],
  )
}

function encodeSegment(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
}

function queryOf({ query }: OperationRow): fc.Arbitrary<string> {
  const names = [...Object.keys(query), 'limit', 'status[$ne]', '__proto__', 'unknown']
  const pair = fc
    .tuple(fc.constantFrom(...names), hostileText)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeSegment(value)}`)
  return weighted(
    [2, fc.constant('')],
    [1, fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`)],
  )
}

function bodyOf(row: OperationRow, listener: ListenerName): fc.Arbitrary<Buffer> {
  const fields = fieldsOf(SCHEMAS[listener][row.body?.schema ?? ''] ?? {})
  const text = fields.map((value) => JSON.stringify(value))
  return weighted(
    [6, text.map((json) => Buffer.from(json))],
    [2, fc.constantFrom(...BROKEN_JSON).map((json) => Buffer.from(json))],
    [
      2,
      fc.tuple(text, fc.nat(), fc.uint8Array({ maxLength: 3 })).map(([json, at, bytes]) => {
        const whole = Buffer.from(json)
        const place = at % (whole.length + 1)
        return Buffer.concat([whole.subarray(0, place), bytes, whole.subarray(place + 1)])
      }),
    ],
  )
}

function fieldsOf({ properties = {} }: CheckedSchema): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const field = weighted([3, plausible(schema)], [2, hostileValue], [1, fc.constant(undefined)])
    return [name, field] as const
  })
  const stray = fc.dictionary(hostileText, hostileValue, { maxKeys: 1 })
  return fc
    .tuple(fc.record(Object.fromEntries(fields)), stray)
    .map(([known, unknown]) => ({ ...known, ...unknown }))
}

function plausible(schema: CheckedSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'integer' || type === 'number') return fc.integer({ min: -1, max: schema.maximum ?? 2 ** 31 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'array') return fc.array(hostileValue, { maxLength: 3 })
  if (type === 'object') return fc.dictionary(hostileText, hostileValue, { maxKeys: 2 })
  return fc.constantFrom('items', 'https://localhost:1/x', 'AUD', '1h', 'card-payin', 'x', '1')
}
