import type { DiagnosisFinding as Finding } from '../../spec/generated/control-types.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { style } from './terminal.ts'

export type { Finding }

export function fine(about: string, message: string): Finding {
  return { about, level: 'fine', message }
}

/** Creates a finding for a setting that may be intended, but is often a mistake. */
export function warning(about: string, message: string, remedy: string): Finding {
  return { about, level: 'warning', message, remedy }
}

/** Creates a finding for a problem that prevents deliveries. */
export function problem(about: string, message: string, remedy?: string): Finding {
  return { about, level: 'problem', message, ...(remedy === undefined ? {} : { remedy }) }
}

const MARKS = { fine: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const

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
