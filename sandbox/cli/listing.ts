import type { Option } from 'commander'
import { OPERATIONS } from '../../spec/generated/control-operations.ts'
import { commandLine, type CommandTarget } from '../engine/core/command-line.ts'
import { toPrintable } from '../engine/core/short-text.ts'
import { option } from './control-command.ts'
import { whole, withoutUndefined } from './option-values.ts'
import type { SandboxFlags } from './sandbox-flags.ts'
import { table, terminalWidth, visibleWidth, wrap } from './terminal.ts'

const LIMIT = OPERATIONS.listJobs.query.limit
const { maximum, fallback: DEFAULT_LIMIT } = LIMIT

export interface PageFlags extends PastFlags {
  readonly limit: number
  readonly cursor?: string
}

export function pageOptions(): Option[] {
  return [
    limitOption('maximum number of entries', LIMIT),
    option('--cursor <cursor>', 'show the page at this cursor, taken from the output of an earlier page'),
    atOption(),
  ]
}

type Limit = Readonly<Record<'minimum' | 'maximum' | 'fallback', number>>

export function limitOption(about: string, { minimum, maximum: most, fallback }: Limit): Option {
  return option('--limit <count>', about, whole('--limit', { least: minimum, most })).default(fallback)
}

export interface PastFlags extends SandboxFlags {
  readonly at?: string
}

export function atOption(): Option {
  return option(
    '--at <instant>',
    'show the state at this past time of the sandbox clock, such as 2026-01-01T07:05:00.000Z',
  )
}

export function pastQuery({ at }: Pick<PastFlags, 'at'>): { readonly at?: string } {
  return at === undefined ? {} : { at }
}

export interface Page {
  readonly rows: readonly (readonly string[])[]
  /** The text that is printed for an empty list. */
  readonly none: string
  readonly older: number
  readonly next_cursor: string | null
  readonly keepsIds?: boolean
  /** The number of the first row in the unfiltered list. */
  readonly first: number
}

interface Listing {
  readonly command: string
  readonly flags: PageFlags
  readonly filter?: Readonly<Record<string, string | undefined>>
}

export function formatPage(headings: readonly string[], page: Page, listing: Listing): string {
  const { rows, none, older, next_cursor } = page
  const before = older === 0 ? [] : [`${older} older: ${olderCommand(page, listing)}`]
  const after = next_cursor === null ? [] : [`More: ${commandFor({ cursor: next_cursor }, listing)}`]
  return [...before, rows.length === 0 ? none : formatTable(headings, rows, page.keepsIds), ...after].join(
    '\n',
  )
}

export function formatRows(rows: readonly (readonly string[])[], keepsIds = false): string {
  return fitTable(
    rows.map((row) => row.map(toPrintable)),
    terminalWidth(),
    keepsIds,
  )
}

export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  keepsIds = false,
): string {
  return formatRows([headings, ...rows], keepsIds)
}

/** Returns the command for the previous page. The rows of a filtered list have no numbers, so the command requests a longer page. */
function olderCommand({ older, first }: Page, listing: Listing): string {
  const { limit } = listing.flags
  if (Object.keys(withoutUndefined(listing.filter ?? {})).length === 0) {
    return commandFor({ cursor: String(Math.max(0, first - Math.min(limit, older))) }, listing)
  }
  const isOnePage = listing.flags.cursor === undefined && older + limit <= maximum
  return isOnePage ? commandFor({ limit: older + limit }, listing) : commandFor({ cursor: '0' }, listing)
}

function commandFor(start: Partial<PageFlags>, { command, flags, filter = {} }: Listing): string {
  const { cursor, limit = flags.limit } = start
  const given = { ...filter, at: flags.at, limit: limit === DEFAULT_LIMIT ? undefined : limit, cursor }
  return formatCommand(command, given, flags)
}

export function formatCommand(
  command: string,
  options: Readonly<Record<string, string | number | undefined>>,
  target: CommandTarget,
): string {
  const given = Object.entries(withoutUndefined(options)).flatMap(([name, value]) => [`--${name}`, value])
  return toPrintable(commandLine([command, ...given].join(' '), target))
}

export function pageQuery<Filter extends object>({ limit, cursor, at }: PageFlags, filter: Filter) {
  return { ...withoutUndefined(filter), ...withoutUndefined({ cursor, at }), limit }
}

type Row = readonly string[]

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

const INDENT = '  '

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

function shortenIds(rows: readonly Row[]): readonly Row[] {
  const ids = [...new Set(rows.flat().filter((cell) => UUID.test(cell)))]
  let length = 8
  while (new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length++
  return rows.map((row) => row.map((cell) => (UUID.test(cell) ? `${cell.slice(0, length)}…` : cell)))
}

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
