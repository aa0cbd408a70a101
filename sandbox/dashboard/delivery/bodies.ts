/** The same JSON with a field on each line; numbers and strings stay as they were written. Undefined if it is not JSON. */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  let depth = 0
  let pretty = ''
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(TOKENS)) {
    if (EMPTY.test(token)) pretty += token.replaceAll(/\s/g, '')
    else if (token === '{' || token === '[') {
      depth++
      pretty += token + newLine()
    } else if (token === '}' || token === ']') {
      depth--
      pretty += newLine() + token
    } else if (token === ',') pretty += token + newLine()
    else pretty += token === ':' ? ': ' : token
  }
  return pretty
}

const EMPTY = /^(\{\s*\}|\[\s*\])$/
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s"{}[\],:]+/g

/** A line of a text compared with another text. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** The product of the lines from which on no difference is computed. */
const MOST_PAIRS = 1_000_000

/** The lines of both texts in order, by their longest common subsequence; undefined if the texts are too long to compare. */
export function diffLines(before: string, after: string): readonly DiffLine[] | undefined {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  if (old.length * fresh.length > MOST_PAIRS) return undefined
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

/** A part of a text: as it stands, or a character that would not show, or would change how the others do. */
export interface TextPart {
  readonly text: string
  readonly isOdd: boolean
}

/** The parts of a text, with names such as `U+202E` for what is odd; line breaks and tabs stay. */
export function splitOddCharacters(text: string): readonly TextPart[] {
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
