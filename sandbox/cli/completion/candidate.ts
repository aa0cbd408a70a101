/** One way in which a word can go on. */
export interface Candidate {
  /** The whole word. */
  readonly value: string
  /** What it is, for shells that show it beside the word; empty if there is nothing to say. */
  readonly about: string
  /** More of the same word follows, such as a value after `key=`. */
  readonly isOpen?: boolean
}

/** Everything by which a word can go on. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  /** What the shell itself completes: names of files, or of folders. */
  readonly paths?: 'files' | 'folders'
  /** What stands before such a name in the word, such as `@`. */
  readonly prefix?: string
}

export const NOTHING: Completion = { candidates: [] }

export function toCandidate(value: string, about = ''): Candidate {
  return { value, about }
}

/** The same with this before each. */
export function withPrefix(prefix: string, { candidates, ...others }: Completion): Completion {
  const longer = candidates.map((each) => ({ ...each, value: `${prefix}${each.value}` }))
  return { ...others, candidates: longer, prefix: `${prefix}${others.prefix ?? ''}` }
}

/** Which shells insert as they stand: nothing in them ends a line or steers a terminal. */
const CONTROL = /\p{Cc}|\p{Cf}|[\u2028\u2029]/u

const LONGEST_ABOUT = 100

/**
 * What a shell's script reads: a line for each word that begins with the text, with a tab before what it is, and in the last line
 * what the shell is to do.
 */
export function formatCompletion({ candidates, paths, prefix = '' }: Completion, text: string): string {
  const fitting = candidates.filter(({ value }) => value.startsWith(text) && !CONTROL.test(value))
  const lines = fitting.map(({ value, about }) => `${value}\t${shortenAbout(about)}`)
  const deed = paths ?? (fitting.some(({ isOpen }) => isOpen === true) ? 'open' : 'done')
  return [...lines, paths === undefined || prefix === '' ? `:${deed}` : `:${deed} ${prefix}`].join('\n')
}

function shortenAbout(about: string): string {
  const line = about.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim()
  return line.length <= LONGEST_ABOUT ? line : `${line.slice(0, LONGEST_ABOUT - 1).trimEnd()}…`
}
