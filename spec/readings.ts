import { READINGS } from './generated/readings.ts'
import { didYouMean } from './nearest.ts'

/** A point that the service's document leaves open, and its options. */
export interface Reading {
  readonly id: string
  readonly source: readonly string[]
  readonly kind: 'choice' | 'duration' | 'text' | 'shape'
  readonly about: string
  readonly options?: Readonly<Record<string, string>>
  readonly minimum?: string
  readonly default: string
  readonly why: string
}

type Row = (typeof READINGS)[number]
type Setting = Extract<Row, { readonly kind: 'choice' | 'duration' | 'text' }>

/** The ids of the readings that a user can change. All other readings only describe the form of bodies. */
export type ReadingId = Setting['id']

type Value<Found extends Row> = Found extends { readonly kind: 'choice' }
  ? keyof Found['options']
  : Found extends { readonly kind: 'duration' }
    ? number
    : string

/** The value of each reading: an option, a duration in milliseconds, or a text. */
export type ReadingValues = { readonly [Id in ReadingId]: Value<Extract<Row, { readonly id: Id }>> }

export const readings: readonly Reading[] = READINGS

/** Converts the chosen options into values by reading id, and adds the defaults. Throws RangeError for an unknown id or option. */
export function readingValues(chosen: Readonly<Record<string, string>> = {}): ReadingValues {
  const settings = readings.filter(({ kind }) => kind !== 'shape')
  const ids: readonly string[] = settings.map(({ id }) => id)
  const unknown = Object.keys(chosen).find((id) => !ids.includes(id))
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot set reading "${unknown}": the choices are ${ids.join(', ')}${didYouMean(unknown, ids)}`,
    )
  }
  return Object.fromEntries(
    settings.map((reading) => [reading.id, parseReading(reading, chosen[reading.id] ?? reading.default)]),
  ) as ReadingValues
}

function parseReading({ id, kind, options = {}, minimum = '0ms' }: Reading, text: string): string | number {
  if (kind === 'text') return text
  if (kind === 'duration') {
    const durationMs = parseDuration(text)
    if (durationMs === undefined) {
      throw new RangeError(
        `Cannot set reading "${id}" to "${text}": the value must be a duration such as 200ms, 10s or 5m`,
      )
    }
    if (durationMs < (parseDuration(minimum) ?? 0)) {
      throw new RangeError(`Cannot set reading "${id}" to "${text}": the value must be ${minimum} or more`)
    }
    return durationMs
  }
  if (!Object.hasOwn(options, text)) {
    throw new RangeError(
      `Cannot set reading "${id}" to "${text}": its options are ${Object.keys(options).join(', ')}${didYouMean(text, Object.keys(options))}`,
    )
  }
  return text
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a duration such as `25m`, `1h45m` or `200ms`, and returns milliseconds. Undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined
  let totalMs = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    totalMs += Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
  }
  return Number.isSafeInteger(Math.round(totalMs)) ? Math.round(totalMs) : undefined
}

export function formatDuration(durationMs: number): string {
  let restMs = durationMs
  const parts = (['d', 'h', 'm', 's', 'ms'] as const).map((unit) => {
    const count = Math.floor(restMs / UNIT_MS[unit])
    restMs -= count * UNIT_MS[unit]
    return count === 0 ? '' : `${count}${unit}`
  })
  return parts.join('') || '0ms'
}

export function formatWait(waitMs: number): string {
  return formatDuration(waitMs < 1_000 ? waitMs : Math.ceil(waitMs / 1_000) * 1_000)
}
