import { stripVTControlCharacters, styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export function style(format: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream })
}

export const visibleWidth = (text: string) => stripVTControlCharacters(text).length

export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => visibleWidth(row[index] ?? ''))),
  )
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === row.length - 1
            ? cell
            : cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - visibleWidth(cell))),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const terminalWidth = () => process.stdout.columns ?? Number.POSITIVE_INFINITY

const LINE_WIDTH = 100

export function wrap(
  text: string,
  { first, rest }: { readonly first: string; readonly rest: string },
  width = LINE_WIDTH,
): string {
  const lines: string[] = []
  let line = first
  for (const word of text.split(' ')) {
    const isFull =
      line.trim() !== '' && line !== first && visibleWidth(line + word) > Math.min(width, LINE_WIDTH)
    if (isFull) lines.push(line.trimEnd())
    line = isFull ? `${rest}${word} ` : `${line}${word} `
  }
  return [...lines, line.trimEnd()].join('\n')
}

export function fitLine(text: string, rest: string): string {
  const width = terminalWidth()
  return visibleWidth(text) <= width ? text : wrap(text, { first: '', rest }, width)
}

export type LabeledValue = readonly [label: string, value: string, note?: string]

const INDENT = '  '
const GAP = '  '

export function formatFacts(facts: readonly LabeledValue[], width = terminalWidth()): string {
  const columns = table(facts.map(([label, value, note = '']) => ['', label, value, note]))
  if (columns.split('\n').every((line) => visibleWidth(line) <= width)) return columns
  const widest = Math.max(...facts.map(([label]) => label.length))
  return facts.flatMap((fact) => factLines(fact, widest, width)).join('\n')
}

function factLines([label, value, note = '']: LabeledValue, widest: number, width: number): string[] {
  const start = `${INDENT}${label.padEnd(widest)}${GAP}`
  const line = start + value
  if (visibleWidth(line + GAP + note) <= width) return [(line + GAP + note).trimEnd()]
  // Starts the value on a new line if one of its words does not fit next to the label.
  const isTooLong = value.split(' ').some((word) => visibleWidth(start + word) > width)
  const rest = isTooLong ? INDENT + INDENT : ' '.repeat(start.length)
  const first = isTooLong ? rest : start
  return [
    ...(isTooLong ? [start.trimEnd()] : []),
    wrap(value, { first, rest }, width),
    ...(note === '' ? [] : [wrap(note, { first: rest, rest }, width)]),
  ]
}
