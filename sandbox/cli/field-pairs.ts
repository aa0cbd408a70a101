import { errorMessage } from '../../spec/errors.ts'
/** The values that a field accepts: only text, text or null, or any other type. */
export type TextKind = 'text' | 'text-or-null' | 'other'

export type TextFields = Readonly<Record<string, Readonly<Record<string, TextKind>>>>

/** Parses pairs such as `key=value key:=json`. Throws RangeError for an invalid pair. */
export function parsePairs(
  pairs: readonly string[],
  kindOf: (key: string) => TextKind,
): Record<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const pair of pairs) {
    const { key, sign, text } = /^(?<key>[^=:]+)(?<sign>:?=)(?<text>.*)$/s.exec(pair)?.groups ?? {}
    if (key === undefined || text === undefined) {
      throw new RangeError(`Cannot read field "${pair}": write it as key=value, or key:=json`)
    }
    if (fields.has(key)) throw new RangeError(`Cannot read field "${pair}": the key "${key}" is given twice`)
    fields.set(key, sign === ':=' ? parseJsonOf(pair, text) : toFieldValue(kindOf(key), text))
  }
  return Object.fromEntries(fields)
}

/**
 * Returns the value of a field. A text field gets text. Any other field gets a number, boolean or null if the text is JSON of
 * this kind.
 */
export function toFieldValue(kind: TextKind, text: string): unknown {
  if (kind === 'text') return text
  if (kind === 'text-or-null') return text === 'null' ? null : text
  return /^(-?(0|[1-9]\d*)(\.\d+)?|true|false|null)$/.test(text) ? JSON.parse(text) : text
}

/** Parses the JSON text after `:=`. Throws RangeError for invalid JSON. */
export function parseJsonOf(pair: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const detail = errorMessage(cause)
    throw new RangeError(`Cannot read field "${pair}": the value after ":=" is not JSON (${detail})`, {
      cause,
    })
  }
}
