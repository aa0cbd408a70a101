import { wrap, visibleWidth } from '../terminal.ts'
import type { ManualPage, PageSection } from './manual-page.ts'
import type { Row } from './manual.ts'

const INDENT = '  '
const WIDEST_TERM = 22
/** Longer lines are hard to read. */
const WIDEST = 100

/** How a heading or a command line looks. */
export type Paint = (style: 'bold', text: string) => string

/** A page for a terminal of this width. */
export function manualText({ sections }: ManualPage, width: number, paint: Paint): string {
  const narrowed = Math.min(width, WIDEST)
  return sections
    .map((section) =>
      [paint('bold', section.heading.toUpperCase()), ...bodyLines(section, narrowed)].join('\n'),
    )
    .join('\n\n')
}

function bodyLines(section: PageSection, width: number): readonly string[] {
  const { lines = [], paragraphs = [], rows = [], examples = [] } = section
  return [
    ...lines.map((line) => wrap(line, { first: INDENT, rest: INDENT + INDENT + INDENT }, width)),
    ...paragraphs.flatMap((text, index) => [
      ...(index === 0 ? [] : ['']),
      wrap(text, { first: INDENT, rest: INDENT }, width),
    ]),
    ...(paragraphs.length > 0 && rows.length > 0 ? [''] : []),
    ...rowLines(rows, width),
    ...examples.flatMap((row, index) => [...(index === 0 ? [] : ['']), ...exampleLines(row, width)]),
  ]
}

/** Beside each other where the terms are short. A term that is not has a line of its own. */
function rowLines(rows: readonly Row[], width: number): readonly string[] {
  const fitting = rows.map(([term]) => visibleWidth(term)).filter((length) => length <= WIDEST_TERM)
  const widest = Math.max(0, ...fitting)
  const rest = `${INDENT}${' '.repeat(widest)}${INDENT}`
  return rows.flatMap(([term, about]) => {
    if (visibleWidth(term) <= widest) {
      return [wrap(about, { first: `${INDENT}${term.padEnd(widest)}${INDENT}`, rest }, width).trimEnd()]
    }
    return [`${INDENT}${term}`, ...(about === '' ? [] : [wrap(about, { first: rest, rest }, width)])]
  })
}

/** A command line is cut between words only, as a shell goes on after a backslash. */
function exampleLines([line, about]: Row, width: number): readonly string[] {
  const after = INDENT + INDENT + INDENT
  const folded = wrap(line, { first: INDENT, rest: after }, width - 2).split('\n')
  return [
    ...folded.map((part, index) => (index < folded.length - 1 ? `${part} \\` : part)),
    ...(about === '' ? [] : [wrap(about, { first: after, rest: after }, width)]),
  ]
}
