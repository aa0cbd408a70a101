import { didYouMean } from '../../spec/nearest.ts'

/** Throws RangeError for a key that is none: a misspelt option would be left out without a word. */
export function refuseUnknownOptions(action: string, given: object, known: readonly string[]): void {
  const stray = Object.keys(given).find((name) => !known.includes(name))
  if (stray === undefined) return
  throw new RangeError(`Cannot ${action} with option "${stray}": there are ${known.join(', ')}${didYouMean(stray, known)}`)
}
