import type { FaultMatch, FaultRequest } from '../../spec/generated/control-types.ts'
import { likely } from '../engine/core/nearest.ts'
import type { BenchFlags } from './bench-options.ts'
import { UsageError } from './failure.ts'
import { faultKindOf } from './fault-kinds.ts'
import { jsonOf, valueOf } from './fields.ts'
import { givenJson } from './given-content.ts'
import { defined, wholeNumber } from './option-values.ts'

/** What `faults add` is told on the command line. */
export interface AddFlags extends BenchFlags {
  readonly match?: readonly string[]
  readonly times?: number
  readonly skip?: number
  readonly probability?: number
  readonly seed?: number
  readonly copies?: number
  readonly delay?: number
  readonly status?: number
  readonly retryAfter?: number
  readonly revisionsBack?: number
  readonly set?: readonly string[]
  readonly body?: string
}

const MOST = 1_000_000_000

/** The fault that the flags describe. Throws UsageError with the remedy. */
export function faultOf(on: FaultRequest['on'], kind: string, flags: AddFlags): FaultRequest {
  const { match, times, skip, probability, seed, copies, status, set, body } = flags
  return {
    on,
    kind: faultKindOf(kind),
    ...(match === undefined ? {} : { match: matchOf(match) }),
    ...defined({ times, skip, probability, seed, copies, status }),
    ...defined({
      delay_ms: flags.delay,
      retry_after: flags.retryAfter,
      revisions_back: flags.revisionsBack,
    }),
    ...(set === undefined ? {} : { set: valuesOf(set) }),
    ...(body === undefined ? {} : { body: givenJson('--body', body) }),
  }
}

const MATCHES: { readonly [Key in keyof Required<FaultMatch>]: string } = {
  object_type: 'items',
  object_id: 'ID',
  generation: 'webhooks|callbacks',
  registration_id: 'ID',
  job_id: 'ID',
  state: 'completed',
  attempt: '1',
  operation: 'showItem',
  method: 'GET',
  path: '/items/42',
}

/** What a fault can be narrowed to, with a value each. */
export const MATCH_HELP = Object.entries(MATCHES)
  .map(([key, value]) => `${key}=${value}`)
  .join(', ')

function matchOf(pairs: readonly string[]): FaultMatch {
  const match = new Map<string, string | number>()
  for (const pair of pairs) {
    const { key, text } = /^(?<key>[^=]+)=(?<text>.+)$/s.exec(pair)?.groups ?? {}
    if (key === undefined || text === undefined) {
      throw new UsageError(`Cannot read match "${pair}": write it as key=value, such as object_type=items`)
    }
    if (!Object.hasOwn(MATCHES, key)) {
      const meant = likely(key, Object.keys(MATCHES))
      const question = meant === undefined ? '; it' : `; did you mean "${meant}"? It`
      throw new UsageError(
        `Cannot match by "${key}": there is no such key${question} takes ${Object.keys(MATCHES).join(', ')}`,
      )
    }
    if (match.has(key)) {
      throw new UsageError(`Cannot match "${pair}": "${key}" is given twice; add a fault for each value`)
    }
    match.set(key, key === 'attempt' ? wholeNumber('--match attempt', text, { least: 1, most: MOST }) : text)
  }
  return Object.fromEntries(match)
}

/** `/pointer=value` and `/pointer:=json`; a value is text where the field that is pointed at is text. */
function valuesOf(pairs: readonly string[]): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const pair of pairs) {
    const { pointer, sign, text } = /^(?<pointer>\/.*?)(?<sign>:?=)(?<text>.*)$/s.exec(pair)?.groups ?? {}
    if (pointer === undefined || text === undefined) {
      throw new UsageError(
        `Cannot read "${pair}" of --set: write it as /pointer=value or /pointer:=json, such as /items/amount=1`,
      )
    }
    if (values.has(pointer)) throw new UsageError(`Cannot set "${pointer}" twice: leave one of the two out`)
    const [, type = '', field = '', ...deeper] = pointer.split('/')
    const known = deeper.length === 0 ? type : ''
    values.set(pointer, sign === ':=' ? jsonOf(pair, text) : valueOf(known, field, text))
  }
  return Object.fromEntries(values)
}

/** The chance of each match. Throws UsageError. */
export function probabilityOf(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0 && value <= 1) return value
  throw new UsageError(
    `Cannot use --probability "${text}": it takes a number above 0, at most 1, such as 0.25`,
  )
}
