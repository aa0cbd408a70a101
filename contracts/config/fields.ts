import { nearest } from '../../sandbox/internal.ts'

interface Range {
  readonly least: number
  readonly most: number
}

/** The keys of one object of a configuration; what is wrong with them is noted, and nothing is thrown. */
export interface Fields {
  has(key: string): boolean
  raw(key: string): unknown
  text(key: string): string | undefined
  flag(key: string): boolean | undefined
  whole(key: string, range: Range): number | undefined
  /** A text for each name. */
  texts(key: string): Readonly<Record<string, string>> | undefined
  list(key: string): readonly string[] | undefined
  /** An object with these keys. */
  within(key: string, known: readonly string[]): Fields | undefined
  /** Notes a problem with a key: `"effects.http" …`. */
  refuse(key: string, problem: string): undefined
}

interface Place {
  /** The keys on the way here, each with a dot after it. */
  readonly path: string
  readonly known: readonly string[]
  readonly problems: string[]
}

/** Reads an object of which only these keys are known. */
export function fieldsOf(value: object, { path, known, problems }: Place): Fields {
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(value))
  const refuse = (key: string, problem: string): undefined => {
    problems.push(`"${path}${key}" ${problem}`)
  }
  for (const key of given.keys()) if (!known.includes(key)) refuse(key, unknownKey(key, { path, known }))

  function read<Value>(key: string, takes: string, is: (raw: unknown) => raw is Value): Value | undefined {
    const raw = given.get(key)
    if (raw === undefined || is(raw)) return raw
    // What may be secret is not for a log to keep, not even when it is wrong.
    const instead = isObject(raw) || key === 'token' ? '' : `, not ${shown(raw)}`
    return refuse(key, `takes ${takes}${instead}`)
  }

  return {
    has: (key) => given.get(key) !== undefined,
    raw: (key) => given.get(key),
    refuse,
    text: (key) => read(key, 'text', isText),
    flag: (key) => read(key, 'true or false', isFlag),
    whole: (key, { least, most }) =>
      read(key, `a whole number from ${least} to ${most}`, (raw) => isWhole(raw, { least, most })),
    texts: (key) => read(key, 'a text for each name', isTexts),
    list: (key) => read(key, 'a list of texts', isList),
    within(key, inner) {
      const raw = read(key, `an object with ${inner.join(', ')}`, isObject)
      return raw && fieldsOf(raw, { path: `${path}${key}.`, known: inner, problems })
    },
  }
}

function unknownKey(key: string, { path, known }: Pick<Place, 'path' | 'known'>): string {
  const meant = nearest(key, known)
  const close = meant === undefined ? '' : `; did you mean "${path}${meant}"?`
  return `is no key of the configuration${close}`
}

type Guard<Value> = (raw: unknown) => raw is Value

const isText: Guard<string> = (raw) => typeof raw === 'string'
const isFlag: Guard<boolean> = (raw) => typeof raw === 'boolean'

function isWhole(raw: unknown, { least, most }: Range): raw is number {
  return typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most
}

export function isObject(raw: unknown): raw is object {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

function isTexts(raw: unknown): raw is Readonly<Record<string, string>> {
  return isObject(raw) && Object.values(raw).every(isText)
}

function isList(raw: unknown): raw is readonly string[] {
  return Array.isArray(raw) && raw.every(isText)
}

/** A value as a person wrote it, cut short. */
function shown(raw: unknown): string {
  if (typeof raw === 'function') return 'a function'
  const text = JSON.stringify(raw) ?? String(raw)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
