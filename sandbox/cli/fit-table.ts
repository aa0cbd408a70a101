import { table, visibleWidth, wrap } from './terminal.ts'

type Row = readonly string[]

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const INDENT = '  '

/** A table that no terminal of this width cuts within a word. What is too wide has short ids, then more lines for a row. */
export function fitTable(rows: readonly Row[], width: number, keepsIds = false): string {
  if (fits(rows, width)) return table(rows)
  const short = keepsIds ? rows : shortenIds(rows)
  return fits(short, width) ? table(short) : foldColumns(short, width)
}

function fits(rows: readonly Row[], width: number): boolean {
  return table(rows)
    .split('\n')
    .every((line) => visibleWidth(line) <= width)
}

/** Ids as far as they are unique among those of the table, but not shorter than a person tells apart. */
function shortenIds(rows: readonly Row[]): readonly Row[] {
  const ids = [...new Set(rows.flat().filter((cell) => UUID.test(cell)))]
  let length = 8
  while (new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length++
  return rows.map((row) => row.map((cell) => (UUID.test(cell) ? `${cell.slice(0, length)}…` : cell)))
}

/** Each row on as many lines as it takes, cut between the same columns. */
function foldColumns(rows: readonly Row[], width: number): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const parts: number[][] = []
  for (let column = 0; column < columns; column++) {
    const last = parts.at(-1)
    const extended = [...(last ?? []), column]
    const isFirst = parts.length <= 1
    if (last && fits(pick(rows, extended), isFirst ? width : width - INDENT.length))
      parts.splice(-1, 1, extended)
    else parts.push([column])
  }
  const blocks = parts.map((part) => table(pick(rows, part)).split('\n'))
  return rows
    .flatMap((_, index) =>
      blocks.flatMap((block, part) => {
        const [line = '', first] = [block[index], part === 0 ? '' : INDENT]
        if (line === '') return []
        return visibleWidth(first + line) <= width
          ? [first + line]
          : [wrap(line, { first, rest: INDENT }, width)]
      }),
    )
    .join('\n')
}

function pick(rows: readonly Row[], columns: readonly number[]): readonly Row[] {
  return rows.map((row) => columns.map((column) => row[column] ?? ''))
}
