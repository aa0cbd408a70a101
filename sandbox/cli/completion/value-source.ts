import type { Perform } from '../../compose/perform.ts'
import { NOTHING, toCandidate, withPrefix, type Candidate, type Completion } from './candidate.ts'
import type { GivenValues } from './find-place.ts'

/** What a value is completed with. */
export interface ValueContext {
  /** What is typed of it so far. */
  readonly text: string
  /** What the command line has before it. */
  readonly given: GivenValues
  /** The control API of the sandbox that runs; rejects if none does. */
  readonly perform: Perform
  /** The checks of a receiver, and their topics. */
  readonly listChecks: () => Promise<readonly Candidate[]>
  /** The commands within the one of these words. */
  readonly listCommands: (words: readonly string[]) => readonly Candidate[]
}

/** What a value can be. It may reject, which is taken for nothing. */
export type ValueSource = (context: ValueContext) => Completion | Promise<Completion>

/** Words with what each is. */
export function oneOf(words: Iterable<string | readonly [value: string, about: string]>): ValueSource {
  const candidates = [...words].map((word) =>
    typeof word === 'string' ? toCandidate(word) : toCandidate(...word),
  )
  return () => ({ candidates })
}

export const FILES: ValueSource = () => ({ candidates: [], paths: 'files' })
export const FOLDERS: ValueSource = () => ({ candidates: [], paths: 'folders' })

/** Content as it stands, or a file that holds it. */
export const CONTENT: ValueSource = ({ text }) =>
  text.startsWith('@') ? { candidates: [], paths: 'files', prefix: '@' } : NOTHING

/** Nothing is known of it: a number, an instant, a text of one's own. */
export const FREE: ValueSource = () => NOTHING

/** Several values, separated by commas. */
export function listOf(source: ValueSource): ValueSource {
  return async (context) => {
    const end = context.text.lastIndexOf(',') + 1
    const [before, text] = [context.text.slice(0, end), context.text.slice(end)]
    const given = new Set(before.split(','))
    const { candidates } = await source({ ...context, text })
    return withPrefix(before, { candidates: candidates.filter(({ value }) => !given.has(value)) })
  }
}

/** `key=value`: the keys, and when one is written, its values. */
export function pairsOf(
  keys: (context: ValueContext) => readonly Candidate[] | Promise<readonly Candidate[]>,
  valuesOf: (key: string) => ValueSource | undefined,
): ValueSource {
  return async (context) => {
    const at = context.text.indexOf('=')
    if (at === -1) {
      const candidates = await keys(context)
      return { candidates: candidates.map((each) => ({ ...each, value: `${each.value}=`, isOpen: true })) }
    }
    const [key, text] = [context.text.slice(0, at), context.text.slice(at + 1)]
    const completion = await (valuesOf(key) ?? FREE)({ ...context, text })
    return withPrefix(`${key}=`, completion)
  }
}

/** The first value that is given for a name. */
export function firstGiven({ given }: Pick<ValueContext, 'given'>, name: string): string | undefined {
  return given.get(name)?.[0]
}
