import { errorMessage } from '../../spec/errors.ts'
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

/** Parses a JSON number, boolean or null, unless the field is for text. Returns any other text unchanged. */
export function toFieldValue(kind: TextKind, text: string): unknown {
  if (kind === 'text') return text
  if (kind === 'text-or-null') return text === 'null' ? null : text
  return /^(-?(0|[1-9]\d*)(\.\d+)?|true|false|null)$/.test(text) ? JSON.parse(text) : text
}

/** Throws RangeError for invalid JSON. */
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
