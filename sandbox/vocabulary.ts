/**
 * The words that a platform meets in production, by the neutral words that the document writes in their place: parts of keys,
 * of link paths and of enumerated values (`extwallet` in `extwallet_fee`), or whole keys (`request_response`). Source: §2.3
 */
export type Vocabulary = Readonly<Record<string, string>>

/** Says everything in other words, and back. */
export interface Translator {
  /** From our words to the platform's, for what leaves the service. */
  outward(value: unknown): unknown
  /** From the platform's words to ours, for what comes in. */
  inward(fields: Fields): Fields
}

type Fields = Readonly<Record<string, unknown>>

/** For who speaks our words anyway. */
export const plainWords: Translator = { outward: (value) => value, inward: (fields) => fields }

/** Throws RangeError if a word is none, or if two words would become the same and could not be told apart again. */
export function createTranslator(vocabulary: Vocabulary = {}): Translator {
  const words = Object.entries(vocabulary)
  if (words.length === 0) return plainWords
  const bad = words.flat().find((word) => !/^[a-z][a-z0-9_]*$/.test(word))
  if (bad !== undefined) {
    throw new RangeError(`Cannot use vocabulary word "${bad}": it takes small letters, digits and _`)
  }
  const backwards = words.map(([ours, theirs]) => [theirs, ours] as const)
  if (new Set(backwards.map(([theirs]) => theirs)).size < words.length) {
    throw new RangeError('Cannot use the vocabulary: two words become the same')
  }
  const inward = translated(new Map(backwards), (_, said) => said)
  return {
    outward: translated(new Map(words), (name) => name),
    inward: (fields) => Object.assign({}, inward(fields)),
  }
}

/** Fields whose text is no text of anybody's, but an enumerated value. */
const ENUMERATED = /^(state|status|type|type_method|account_type|payment_method|object_type|event)$/

type Words = ReadonlyMap<string, string>

/** `ours` tells a key in our words from what it was and what it becomes. */
function translated(words: Words, ours: (name: string, said: string) => string): (value: unknown) => unknown {
  const visit = (value: unknown, key: string, inLinks: boolean): unknown => {
    if (typeof value === 'string') return textOf(value, key, inLinks)
    if (Array.isArray(value)) return value.map((child) => visit(child, key, inLinks))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, child]) => {
      const said = wordsOf(name, words)
      return { said, key: ours(name, said), child }
    })
    // `name` is an enumerated value only beside these, where it is the name of an object type. Source: §6.3
    const isShort = ['event', 'link'].every((beside) => entries.some((entry) => entry.key === beside))
    return Object.fromEntries(
      entries.map(({ said, key: name, child }) => [
        said,
        visit(child, isShort && name === 'name' ? 'object_type' : name, inLinks || name === 'links'),
      ]),
    )
  }
  const textOf = (text: string, key: string, inLinks: boolean): string => {
    if (inLinks || key === 'link') return linkOf(text, words)
    return ENUMERATED.test(key) && /^[a-z_]+$/.test(text) ? wordsOf(text, words) : text
  }
  return (value) => visit(value, '', false)
}

/** Every other segment is an id: `/users/{id}/items`. */
function linkOf(path: string, words: Words): string {
  return path
    .split('/')
    .map((segment, index) => (index % 2 === 1 ? wordsOf(segment, words) : segment))
    .join('/')
}

/** The whole word, or else its parts between underscores. */
function wordsOf(text: string, words: Words): string {
  return (
    words.get(text) ??
    text
      .split('_')
      .map((part) => words.get(part) ?? part)
      .join('_')
  )
}
