/**
 * The first line of what a page shows that a program did not print, in their order; undefined if it printed all. What differs from
 * run to run is not compared: ids, tokens, instants, numbers. `…` stands for anything, also for lines that the page leaves out.
 */
export function missingLine(shown: string, printed: string): string | undefined {
  const lines = toLines(printed)
  let at = 0
  for (const line of toLines(shown)) {
    if (line === '…') continue
    const pattern = toPattern(line)
    const found = lines.findIndex((other, index) => index >= at && pattern.test(other))
    if (found < 0) return line
    at = found + 1
  }
  return undefined
}

function toLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

/** Ids, instants, and whatever else has a digit in it, and what of an id is left out. */
const CHANGING = /[\w.:+-]*\d[\w.:+-]*…?/g

function toPattern(line: string): RegExp {
  const literal = (text: string) =>
    text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('…', '.*')
  const fixed = line.split(CHANGING).map(literal)
  return new RegExp(`^${fixed.join(String.raw`[\w.:+-]+…?`)}$`)
}
