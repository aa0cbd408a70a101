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
