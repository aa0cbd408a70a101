import type { styleText } from 'node:util'
import { breakCommand, toPrintable } from '../../sandbox/internal.ts'

export type Style = Parameters<typeof styleText>[0]

/** How text is shown in a style; as it is where nothing shows styles. */
export type Paint = (style: Style, text: string) => string

/** How wide a line may be at most. */
const WIDTH = 100
const LEAST_WIDTH = 60

/** A terminal, or what is printed as if it were one. */
export interface Screen {
  readonly paint: Paint
  readonly width: number
}

export const PLAIN_SCREEN: Screen = { paint: (_, text) => text, width: WIDTH }

/** As wide as it may be where the terminal has room for it. */
export function screenWidth(columns: number | undefined): number {
  return Math.min(WIDTH, Math.max(LEAST_WIDTH, columns ?? WIDTH))
}

/** Text on as many lines as it needs, each begun with this many spaces; a word that is too long stays whole. */
export function wrapText(text: string, indent: number, width = WIDTH): readonly string[] {
  const margin = ' '.repeat(indent)
  const lines: string[] = []
  let line = ''
  for (const word of toPrintable(text).split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(margin + breakCommand(line))
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, margin + breakCommand(line)]
}

/** The same, cut anywhere: for bytes, whose spaces mean nothing. */
export function chopText(text: string, indent: number, width = WIDTH): readonly string[] {
  const size = width - indent
  const clean = toPrintable(text)
  const count = Math.max(1, Math.ceil(clean.length / size))
  return Array.from(
    { length: count },
    (_, index) => ' '.repeat(indent) + breakCommand(clean.slice(index * size, (index + 1) * size)),
  )
}

/** The beginning of a text, and how much more there is. */
export function truncate(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text
}

/** Returns the beginning of a text, as many characters as there is room for. */
export function clip(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

/** Shortens each UUID to its beginning. */
export function abbreviateIds(text: string): string {
  return text.replaceAll(UUID, (id) => `${id.slice(0, 8)}…`)
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

export function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** The width of the labels before the rows of a check. */
export const LABEL = 11

/** Writes a row behind a label, on as many lines as the row needs. */
export function labelRow(label: string, text: string, { paint, width }: Screen): readonly string[] {
  const [first = '', ...rest] = wrapText(text, LABEL + 2, width)
  return [`  ${paint('dim', label.padEnd(LABEL))}${first.trimStart()}`, ...rest]
}

/** Writes text with a hanging indent behind a mark. */
export function hangingText(mark: string, text: string, { width }: Screen): readonly string[] {
  const [first = '', ...rest] = wrapText(text, 4, width)
  return [`  ${mark} ${first.trimStart()}`, ...rest]
}
