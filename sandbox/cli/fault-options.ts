import type { FaultMatch, FaultRequest } from '../../spec/generated/control-types.ts'
import type { SandboxFlags } from './sandbox-flags.ts'
import { UsageError } from './failure.ts'
import { readJsonOption } from './content-options.ts'
import { parseJsonOf } from './field-pairs.ts'
import { refuseUnknown, withoutUndefined, wholeNumber } from './option-values.ts'

type SameFields = 'on' | 'kind' | 'times' | 'skip' | 'probability' | 'seed' | 'copies' | 'at' | 'status'

export interface AddFlags extends SandboxFlags, Pick<FaultRequest, SameFields> {
  readonly match?: readonly string[]
  readonly delay?: number
  readonly retryAfter?: number
  readonly revisionsBack?: number
  readonly set?: readonly string[]
  readonly body?: string
}

/** Throws UsageError for invalid options. */
export async function faultRequest(flags: AddFlags): Promise<FaultRequest> {
  const { on, kind, match, times, skip, probability, seed, copies, at, status, set, body } = flags
  return {
    on,
    kind,
    ...(match === undefined ? {} : { match: parseMatch(match) }),
    ...withoutUndefined({ times, skip, probability, seed, copies, at, status }),
    ...withoutUndefined({
      delay_ms: flags.delay,
      retry_after: flags.retryAfter,
      revisions_back: flags.revisionsBack,
    }),
    ...(set === undefined ? {} : { set: await parseValues(set) }),
    ...(body === undefined ? {} : { body: await readJsonOption('--body', body) }),
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

export const MATCH_HELP = Object.entries(MATCHES)
  .map(([key, value]) => `${key}=${value}`)
  .join(', ')

function parseMatch(pairs: readonly string[]): FaultMatch {
  const match = new Map<string, string | number>()
  for (const pair of pairs) {
    const { key, text } = /^(?<key>[^=]+)=(?<text>.+)$/s.exec(pair)?.groups ?? {}
    if (key === undefined || text === undefined) {
      throw new UsageError(`Cannot read match "${pair}": write it as key=value, such as object_type=items`)
    }
    if (!Object.hasOwn(MATCHES, key)) {
      refuseUnknown(`match by "${key}"`, key, { noun: 'key', names: Object.keys(MATCHES) })
    }
    if (match.has(key)) {
      throw new UsageError(
        `Cannot match "${pair}": the key "${key}" is given twice. Add a fault for each value`,
      )
    }
    match.set(key, key === 'attempt' ? wholeNumber('--match attempt', text, { least: 1 }) : text)
  }
  return Object.fromEntries(match)
}

/** Parses `/pointer=value` and `/pointer:=json`. Values of text fields stay text. */
async function parseValues(pairs: readonly string[]): Promise<Record<string, unknown>> {
  const { parseValue } = await import('./fields.ts')
  const values = new Map<string, unknown>()
  for (const pair of pairs) {
    const { pointer, sign, text } = /^(?<pointer>\/.*?)(?<sign>:?=)(?<text>.*)$/s.exec(pair)?.groups ?? {}
    if (pointer === undefined || text === undefined) {
      throw new UsageError(
        `Cannot read "${pair}" of --set: write it as /pointer=value or /pointer:=json, such as /items/amount=1`,
      )
    }
    if (values.has(pointer)) throw new UsageError(`Cannot set "${pointer}" twice: omit one of the two`)
    const [, type = '', field = '', ...deeper] = pointer.split('/')
    const known = deeper.length === 0 ? type : ''
    values.set(pointer, sign === ':=' ? parseJsonOf(pair, text) : parseValue(known, field, text))
  }
  return Object.fromEntries(values)
}

export function parseProbability(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0 && value <= 1) return value
  throw new UsageError(
    `Cannot use --probability "${text}": the value must be a number above 0, at most 1, such as 0.25`,
  )
}
