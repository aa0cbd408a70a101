import { Argument, Option } from 'commander'
import { notifiedTypes } from '../../spec/notifications.ts'
import { parseDuration } from '../../spec/readings.ts'
import { FASTEST } from '../engine/core/ports.ts'
import { correctSpelling, didYouMean, formatChoices } from '../../spec/nearest.ts'
import { UsageError } from './failure.ts'

export const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value]

interface Range {
  readonly least?: number
  readonly most?: number
}

const MOST = 1_000_000_000

/** Restricts an option or argument to these values. The parser throws UsageError for any other value. */
export function withChoices<Taker extends Option | Argument>(
  taker: Taker,
  choices: readonly string[],
): Taker {
  const name = taker instanceof Option ? `--${taker.name()}` : `<${taker.name()}>`
  taker.choices(choices)
  // Replaces commander's error, which would repeat the option's declaration.
  taker.argParser((text: string) => {
    if (choices.includes(text)) return text
    throw new UsageError(
      `Cannot use ${name} "${text}": the value must be ${formatChoices(choices)}${didYouMean(text, choices)}`,
    )
  })
  return taker
}

/** Parses an integer in a range. Throws UsageError for any other text. */
export function wholeNumber(name: string, text: string, { least = 0, most = MOST }: Range): number {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new UsageError(
    `Cannot use ${name} "${text}": the value must be a whole number from ${least} to ${most}`,
  )
}

export function whole(name: string, range: Range = {}): (text: string) => number {
  return (text) => wholeNumber(name, text, range)
}

/** Parses a speed in sandbox seconds per real second. `manual` names the option that stops the clock. Throws UsageError. */
export function speedFactor(manual: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value > 0 && value <= FASTEST) return value
    throw new UsageError(
      `Cannot run at speed "${text}": the value must be a number above 0, at most ${FASTEST}. For a clock that does not move, use ${manual}`,
    )
  }
}

export function milliseconds(name: string, bareMs: number): (text: string) => number {
  return (text) => {
    const durationMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * bareMs : parseDuration(text)
    if (durationMs !== undefined && Number.isSafeInteger(Math.round(durationMs)))
      return Math.round(durationMs)
    const unit = bareMs === 1 ? 'milliseconds' : 'seconds'
    throw new UsageError(
      `Cannot use ${name} "${text}": the value must be a number of ${unit}, or a duration such as 200ms or 2s`,
    )
  }
}

type WithoutUndefined<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

export function withoutUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields>
export function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Throws UsageError unless the text is an HTTPS URL. The sandbox decides later whether the host is allowed. */
export function requireHttpsUrl(action: string, url: string): void {
  const protocol = URL.parse(url)?.protocol
  if (protocol === 'https:') return
  const state =
    protocol === 'http:'
      ? 'the URL is HTTP, and the service calls only HTTPS'
      : 'the text is not an HTTPS URL'
  throw new UsageError(`Cannot ${action} "${url}": ${state}. Write it as https://localhost:PORT/PATH`)
}

export function typeArgument(): Argument {
  return withChoices(new Argument('<type>', 'the type of the object'), notifiedTypes)
}

interface Choices {
  readonly noun: string
  readonly names: readonly string[]
}

export function refuseUnknown(action: string, name: string, { noun, names }: Choices): never {
  const meant = correctSpelling(name, names)
  const list = `${meant === undefined ? '; the' : `. Did you mean "${meant}"? The`} ${noun}s are ${names.join(', ')}`
  throw new UsageError(`Cannot ${action}: unknown ${noun}${list}`)
}
