/**
 * The platform's word for each vendor-neutral word. A neutral word is Hookbench's own name for a key, or part of a key, link path
 * or enumerated value. Source: §2.3
 */
export type Vocabulary = Readonly<Record<string, string>>

export interface Translator {
  outward(value: unknown): unknown
  inward<Body extends object>(body: Body): Body
}

export const plainWords: Translator = { outward: (value) => value, inward: (body) => body }

/** Creates a translator for a vocabulary. Throws RangeError for an invalid word, or if two words have the same replacement. */
export function createTranslator(vocabulary: Vocabulary = {}): Translator {
  const words = Object.entries(vocabulary)
  if (words.length === 0) return plainWords
  const bad = words.flat().find((word) => !/^[a-z][a-z0-9_]*$/.test(word))
  if (bad !== undefined) {
    throw new RangeError(
      `Cannot use vocabulary word "${bad}": a word must have only lower-case letters, digits and _`,
    )
  }
  const backwards = words.map(([ours, theirs]) => [theirs, ours] as const)
  const same = backwards.find(([theirs], index) => backwards.findIndex(([word]) => word === theirs) < index)
  if (same !== undefined) {
    const ours = words.flatMap(([word, theirs]) => (theirs === same[0] ? [`"${word}"`] : []))
    const problem = `${ours.join(' and ')} both become "${same[0]}"`
    throw new RangeError(`Cannot use the vocabulary: ${problem}. Give each word a different replacement`)
  }
  const outward = createTranslation(new Map(words))
  const inward = createTranslation(new Map(backwards), (_, said) => said)
  return {
    outward: (value) => outward(value),
    inward: <Body extends object>(body: Body) => Object.assign({}, inward(body)) as Body,
  }
}

export interface FieldLocation {
  readonly key: string
  readonly inLinks: boolean
}

export const WHOLE: FieldLocation = { key: '', inLinks: false }

/** Returns a function that looks up the location of a field by its key. `keys` contains all vendor-neutral keys of the object. */
export function placesWithin(
  { inLinks }: FieldLocation,
  keys: readonly string[],
): (key: string) => FieldLocation {
  // In a body with the fields `event` and `link`, the field `name` contains an object type. Source: §6.3
  const isShort = keys.includes('event') && keys.includes('link')
  return (key) => ({
    key: isShort && key === 'name' ? 'object_type' : key,
    inLinks: inLinks || key === 'links',
  })
}

const ENUMERATED = /^(state|status|type|type_method|account_type|payment_method|object_type|event)$/

/** Classifies a text by its location. Links and enumerated values are translated; free text is not. */
export function classifyText({ key, inLinks }: FieldLocation): 'link' | 'enumerated' | 'free' {
  if (inLinks || key === 'link') return 'link'
  return ENUMERATED.test(key) ? 'enumerated' : 'free'
}

export type Words = ReadonlyMap<string, string>

/** Creates a function that translates a JSON value. `ours` maps a field's name to the vendor-neutral key. */
function createTranslation(words: Words, ours: (name: string, said: string) => string = (name) => name) {
  return function translate(value: unknown, place: FieldLocation = WHOLE): unknown {
    if (typeof value === 'string') return translateText(words, value, place)
    if (Array.isArray(value)) return value.map((child) => translate(child, place))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, child]) => {
      const said = translateWord(words, name)
      return { said, key: ours(name, said), child }
    })
    const keys = entries.map(({ key }) => key)
    const placeOf = placesWithin(place, keys)
    return Object.fromEntries(entries.map(({ said, key, child }) => [said, translate(child, placeOf(key))]))
  }
}

export function translateValueAt(words: Words, value: unknown, place: FieldLocation): unknown {
  return createTranslation(words)(value, place)
}

function translateText(words: Words, text: string, place: FieldLocation): string {
  const kind = classifyText(place)
  if (kind === 'link') return translateLink(words, text)
  return kind === 'enumerated' && /^[a-z][a-z0-9_]*$/.test(text) ? translateWord(words, text) : text
}

/** Translates the words in a link. Every second segment is an id and is not translated, as in `/users/{id}/items`. */
function translateLink(words: Words, path: string): string {
  return path
    .split('/')
    .map((segment, index) => (index % 2 === 1 ? translateWord(words, segment) : segment))
    .join('/')
}

/** Translates a word. If the vocabulary does not contain the word, translates its underscore-separated parts. */
export function translateWord(words: Words, text: string): string {
  return (
    words.get(text) ??
    text
      .split('_')
      .map((part) => words.get(part) ?? part)
      .join('_')
  )
}
