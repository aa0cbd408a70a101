import { table, terminalWidth, visibleWidth, wrap } from './terminal.ts'

/** A label, its value, and an optional note. */
export type Fact = readonly [label: string, value: string, note?: string]

const INDENT = '  '
const GAP = '  '

/** Formats facts in columns. In a narrow terminal a note stands below its value. */
export function formatFacts(facts: readonly Fact[], width = terminalWidth()): string {
  const columns = table(facts.map(([label, value, note = '']) => ['', label, value, note]))
  if (columns.split('\n').every((line) => visibleWidth(line) <= width)) return columns
  const widest = Math.max(...facts.map(([label]) => label.length))
  return facts.flatMap((fact) => factLines(fact, widest, width)).join('\n')
}

function factLines([label, value, note = '']: Fact, widest: number, width: number): string[] {
  const start = `${INDENT}${label.padEnd(widest)}${GAP}`
  const line = start + value
  if (visibleWidth(line + GAP + note) <= width) return [(line + GAP + note).trimEnd()]
  // A word that does not fit next to its label gets its own line.
  const isTooLong = value.split(' ').some((word) => visibleWidth(start + word) > width)
  const rest = isTooLong ? INDENT + INDENT : ' '.repeat(start.length)
  const first = isTooLong ? rest : start
  return [
    ...(isTooLong ? [start.trimEnd()] : []),
    wrap(value, { first, rest }, width),
    ...(note === '' ? [] : [wrap(note, { first: rest, rest }, width)]),
  ]
}
