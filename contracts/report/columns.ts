import type { styleText } from 'node:util'
import { breakCommand, toPrintable } from '../../sandbox/internal.ts'

export type Style = Parameters<typeof styleText>[0]

export type Paint = (style: Style, text: string) => string

const WIDTH = 100
const MIN_WIDTH = 60

export interface Screen {
  readonly paint: Paint
  readonly width: number
}

export const PLAIN_SCREEN: Screen = { paint: (_, text) => text, width: WIDTH }

export function screenWidth(columns: number | undefined): number {
  return Math.min(WIDTH, Math.max(MIN_WIDTH, columns ?? WIDTH))
}

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

/** Splits a body or a header at the width, regardless of spaces. */
export function chopText(text: string, indent: number, width = WIDTH): readonly string[] {
  const size = width - indent
  const clean = toPrintable(text)
  const count = Math.max(1, Math.ceil(clean.length / size))
  return Array.from(
    { length: count },
    (_, index) => ' '.repeat(indent) + breakCommand(clean.slice(index * size, (index + 1) * size)),
  )
}

export function truncate(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text
}

export function clip(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

export function abbreviateIds(text: string): string {
  return text.replaceAll(UUID, (id) => `${id.slice(0, 8)}…`)
}

export function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

export const LABEL = 11

export function labelRow(label: string, text: string, { paint, width }: Screen): readonly string[] {
  const [first = '', ...rest] = wrapText(text, LABEL + 2, width)
  return [`  ${paint('dim', label.padEnd(LABEL))}${first.trimStart()}`, ...rest]
}
