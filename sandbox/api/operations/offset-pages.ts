import type { ReadingValues } from '../../../spec/readings.ts'
import type { PageMeta } from '../../../spec/generated/service-types.ts'

export interface PageQuery {
  readonly limit: number
  readonly offset: number
}

/** The part of a list that was asked for. Reading: lists */
export function pageByOffset<Row>(
  rows: readonly Row[],
  { limit, offset }: PageQuery,
): { readonly page: readonly Row[]; readonly meta: PageMeta } {
  return { page: rows.slice(offset, offset + limit), meta: { limit, offset, total: rows.length } }
}

/** Whether the page has a key in the reply: one without entries only if the reading says so. Reading: empty-lists */
export function hasKey(
  page: readonly unknown[],
  { 'empty-lists': emptyLists }: Pick<ReadingValues, 'empty-lists'>,
): boolean {
  return page.length > 0 || emptyLists === 'empty'
}
