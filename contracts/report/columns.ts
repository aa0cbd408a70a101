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
