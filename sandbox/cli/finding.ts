import { toPrintable } from '../engine/core/short-text.ts'
import { style } from './terminal.ts'

/** What `doctor` found out about one thing. */
export interface Finding {
  /** The examined subject, as a word for programs. */
  readonly about: string
  readonly level: 'fine' | 'warning' | 'problem'
  readonly message: string
  /** What to do about it; none where it is fine, or where the message says it. */
  readonly remedy?: string
  /** The line of the service's document that asks for it. */
  readonly source?: DocumentLine
}

interface DocumentLine {
  readonly line: number
  readonly section: string
}

/** A finding that asks for nothing. */
export function fine(about: string, message: string): Finding {
  return { about, level: 'fine', message }
}

/** What may be meant so, and is a classic if it is not. */
export function warning(about: string, message: string, remedy: string): Finding {
  return { about, level: 'warning', message, remedy }
}

/** What keeps notifications from being delivered. */
export function problem(about: string, message: string, remedy?: string): Finding {
  return { about, level: 'problem', message, ...(remedy === undefined ? {} : { remedy }) }
}

const MARKS = { fine: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const

/** Each finding in a line, with its remedy below it. */
export function findingsText(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ level, message, remedy, source }) => {
      const [colour, mark] = MARKS[level]
      const where = source ? ` (${source.section}, L${source.line} of the document)` : ''
      const line = `${style(colour, mark)} ${toPrintable(message)}${where}`
      return remedy === undefined ? [line] : [line, `    → ${toPrintable(remedy)}`]
    })
    .join('\n')
}
