import type { Option } from 'commander'
import { OPERATIONS } from '../../spec/generated/control-operations.ts'
import { commandLine } from '../engine/core/command-line.ts'
import { toPrintable } from '../engine/core/printable.ts'
import { option } from './control-command.ts'
import { withoutUndefined, type WithoutUndefined, whole } from './option-values.ts'
import type { SandboxFlags } from './sandbox-flags.ts'
import { fitTable } from './fit-table.ts'
import { terminalWidth } from './terminal.ts'

const { minimum, maximum, fallback: DEFAULT_LIMIT } = OPERATIONS.listJobs.query.limit

/** What every command takes that lists page by page. */
export interface PageFlags extends PastFlags {
  readonly limit: number
  readonly cursor?: string
}

export function pageOptions(): Option[] {
  const range = { least: minimum, most: maximum }
  return [
    option('--limit <count>', 'how many at most', whole('--limit', range)).default(DEFAULT_LIMIT),
    option('--cursor <cursor>', 'go on from an earlier page'),
    atOption(),
  ]
}

/** What every command takes that shows the world as it was, too. */
export interface PastFlags extends SandboxFlags {
  readonly at?: string
}

export function atOption(): Option {
  return option('--at <instant>', 'as it was then, by the clock of the sandbox: 2026-01-01T07:05:00.000Z')
}

/** What the control API is asked for a moment, by its names. */
export function pastQuery({ at }: Pick<PastFlags, 'at'>): { readonly at?: string } {
  return at === undefined ? {} : { at }
}

/** A page of rows, the oldest first. */
export interface Page {
  readonly rows: readonly (readonly string[])[]
  /** Said when there are none. */
  readonly none: string
  readonly older: number
  readonly next_cursor: string | null
  /** Ids are never shortened. */
  readonly keepsIds?: boolean
  /** The number of the first row, where no filter leaves numbers out. */
  readonly first: number
}

/** The command and its options, for the commands that show the pages before and after. */
interface Listing {
  readonly command: string
  readonly flags: PageFlags
  readonly filter?: Readonly<Record<string, string | undefined>>
}

/** A page, and how to come to what lies before and after it. */
export function formatPage(headings: readonly string[], page: Page, listing: Listing): string {
  const { rows, none, older, next_cursor } = page
  const before = older === 0 ? [] : [`${older} older: ${olderCommand(page, listing)}`]
  const after = next_cursor === null ? [] : [`More: ${commandFor({ cursor: next_cursor }, listing)}`]
  return [...before, rows.length === 0 ? none : formatTable(headings, rows, page.keepsIds), ...after].join(
    '\n',
  )
}

/** A table without headings. */
export function formatRows(rows: readonly (readonly string[])[], keepsIds = false): string {
  return fitTable(
    rows.map((row) => row.map(toPrintable)),
    terminalWidth(),
    keepsIds,
  )
}

/** A table with headings, of cells that may hold anything. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  keepsIds = false,
): string {
  return formatRows([headings, ...rows], keepsIds)
}

/** The page just before; with a filter, whose rows cannot be counted back, a longer one or else the oldest. */
function olderCommand({ older, first }: Page, listing: Listing): string {
  const { limit } = listing.flags
  if (Object.keys(withoutUndefined(listing.filter ?? {})).length === 0) {
    return commandFor({ cursor: String(Math.max(0, first - Math.min(limit, older))) }, listing)
  }
  const isOnePage = listing.flags.cursor === undefined && older + limit <= maximum
  return isOnePage ? commandFor({ limit: older + limit }, listing) : commandFor({ cursor: '0' }, listing)
}

interface PageStart {
  readonly cursor?: string
  readonly limit?: number
}

function commandFor(start: PageStart, { command, flags, filter = {} }: Listing): string {
  const { cursor, limit = flags.limit } = start
  const given = {
    ...filter,
    at: flags.at,
    limit: limit === DEFAULT_LIMIT ? undefined : String(limit),
    cursor,
  }
  const options = Object.entries(withoutUndefined(given)).flatMap(([name, value]) => [`--${name}`, value])
  return toPrintable(commandLine([command, ...options].join(' '), flags))
}

/** What the control API is asked, by its names. */
export function pageQuery({ limit, cursor }: PageFlags): PageQuery
export function pageQuery<Filter extends object>(
  flags: PageFlags,
  filter: Filter,
): PageQuery & WithoutUndefined<Filter>
export function pageQuery({ limit, cursor, at }: PageFlags, filter: object = {}): object {
  return { ...withoutUndefined({ ...filter, cursor, at }), limit }
}

interface PageQuery {
  readonly limit: number
  readonly cursor?: string
  readonly at?: string
}
