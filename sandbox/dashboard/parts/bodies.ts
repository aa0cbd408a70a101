/** Formats JSON with a field on each line. Numbers and strings keep their spelling. Undefined if not JSON. */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  let depth = 0
  const newLine = (by: number) => `\n${'  '.repeat((depth += by))}`
  return Array.from(text.matchAll(TOKENS), ([token]) => {
    if (token === '{' || token === '[') return token + newLine(1)
    if (token === '}' || token === ']') return newLine(-1) + token
    if (token === ',') return token + newLine(0)
    return token === ':' ? ': ' : token.replaceAll(EMPTY, '$1$2')
  }).join('')
}

const EMPTY = /^([{[])\s*([}\]])$/g
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s"{}[\],:]+/g

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** The largest product of lines that is compared. */
const MAX_PAIRS = 1_000_000

/** Compares two texts by their longest common subsequence. Undefined if they are too long. */
export function diffLines(before: string, after: string): readonly DiffLine[] | undefined {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  if (old.length * fresh.length > MAX_PAIRS) return undefined
  const width = fresh.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < fresh.length) {
    const [removed, added] = [old[row], fresh[column]]
    if (removed !== undefined && removed === added) {
      lines.push({ kind: 'same', text: removed })
      row++
      column++
    } else if (removed !== undefined && (added === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'removed', text: removed })
      row++
    } else {
      lines.push({ kind: 'added', text: added ?? '' })
      column++
    }
  }
  return lines
}

/**
 * Splits a text at characters that are invisible or change the direction, and names them, such as `U+202E`.
 * Line breaks and tabs stay.
 */
export function splitOddCharacters(text: string) {
  return text
    .split(ODD)
    .map((part, index) => ({ text: index % 2 === 1 ? nameOf(part) : part, isOdd: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

const ODD =
  // oxlint-disable-next-line no-control-regex -- these are the characters to name
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff])/

function nameOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
