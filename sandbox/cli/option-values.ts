import { Argument, Option } from 'commander'
import { notifiedTypes } from '../../spec/notifications.ts'
import { parseDuration } from '../../spec/readings.ts'
import { FASTEST } from '../engine/core/ports.ts'
import { correctSpelling, didYouMean } from '../../spec/nearest.ts'
import { UsageError } from './failure.ts'

/** Reads an option that may be given several times. */
export const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value]

interface Range {
  readonly least?: number
  readonly most: number
}

/** Lets an option or an argument take one of these only, and its help list them. It throws UsageError. */
export function withChoices<Taker extends Option | Argument>(
  taker: Taker,
  choices: readonly string[],
): Taker {
  const name = taker instanceof Option ? `--${taker.name()}` : `<${taker.name()}>`
  taker.choices(choices)
  // In place of the words of commander, which repeat how the option is declared.
  taker.argParser((text: string) => {
    if (choices.includes(text)) return text
    throw new UsageError(
      `Cannot use ${name} "${text}": it takes ${formatChoices(choices)}${didYouMean(text, choices)}`,
    )
  })
  return taker
}

/** `real, manual or compressed`. */
export function formatChoices(choices: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices)
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

/** Sandbox seconds per real second, for a clock that moves; `manual` is how to have one that stands still. Throws UsageError. */
export function speedFactor(manual: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value > 0 && value <= FASTEST) return value
    throw new UsageError(
      `Cannot run at speed "${text}": it takes a number above 0, at most ${FASTEST}. ${manual} does not move`,
    )
  }
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
  throw new UsageError(`Cannot ${action} "${url}": ${state}. Write it as https://localhost:PORT/PATH`)
}

/** An argument that names an object type. */
export function typeArgument(): Argument {
  return withChoices(new Argument('<type>', 'the type of the object'), notifiedTypes)
}

/** What a name could have been: `noun` is what it names. */
interface Choices {
  readonly noun: string
  readonly names: readonly string[]
}

/** Throws UsageError with the name that was meant, and all that there are. */
export function refuseUnknown(action: string, name: string, { noun, names }: Choices): never {
  const meant = correctSpelling(name, names)
  const list = `${meant === undefined ? '; the' : `. Did you mean "${meant}"? The`} ${noun}s are ${names.join(', ')}`
  throw new UsageError(`Cannot ${action}: unknown ${noun}${list}`)
}
