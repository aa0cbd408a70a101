import { quoteForShell } from '../../engine/core/command-line.ts'

/** A command of some parts, each on a line of its own where one line would be long. */
export function joinParts(parts: readonly string[]): string {
  const line = parts.join(' ')
  return line.length <= 100 ? line : parts.join(' \\\n  ')
}

/** Whether a shell gets it as one word, and a terminal that it is pasted into does nothing else with it. */
export function fitsInQuotes(text: string): boolean {
  return !ODD.test(text)
}

// oxlint-disable-next-line no-control-regex -- these are the characters that a terminal obeys, or that turn a line around
const ODD = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** What writes exactly these bytes, in characters that every terminal takes. */
export function printfCommand(text: string): string {
  const octal = (character: string) =>
    [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll(new RegExp(ODD, 'g'), octal)
  return `printf %b ${quoteForShell(escaped)}`
}
