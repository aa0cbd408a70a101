import { parseDuration } from '../../spec/readings.ts'
import { UsageError } from './failure.ts'

/** Reads an option that may be given several times. */
export const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value]

interface Range {
  readonly least?: number
  readonly most: number
}

/** A whole number within the range. Throws UsageError. */
export function wholeNumber(name: string, text: string, { least = 0, most }: Range): number {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new UsageError(`Cannot use ${name} "${text}": it takes a whole number from ${least} to ${most}`)
}

/** A reader of whole numbers, for an option of this name. */
export function whole(name: string, range: Range): (text: string) => number {
  return (text) => wholeNumber(name, text, range)
}

/** Milliseconds of `200ms` or `2s`; a bare number counts `bareMs` milliseconds each. Throws UsageError. */
export function milliseconds(name: string, bareMs: number): (text: string) => number {
  return (text) => {
    const durationMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * bareMs : parseDuration(text)
    if (durationMs !== undefined && Number.isSafeInteger(Math.round(durationMs)))
      return Math.round(durationMs)
    const unit = bareMs === 1 ? 'milliseconds' : 'seconds'
    throw new UsageError(`Cannot use ${name} "${text}": it takes ${unit}, or a duration such as 200ms or 2s`)
  }
}

export type WithoutUndefined<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** What of it is given. */
export function withoutUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields>
export function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Throws UsageError unless it is an HTTPS URL; whether it may be called is for the sandbox to say. */
export function requireHttpsUrl(action: string, url: string): void {
  const protocol = URL.parse(url)?.protocol
  if (protocol === 'https:') return
  const state =
    protocol === 'http:' ? 'it is HTTP, and the service calls only HTTPS' : 'it is not an HTTPS URL'
  throw new UsageError(`Cannot ${action} "${url}": ${state}; write it as https://localhost:PORT/PATH`)
}
