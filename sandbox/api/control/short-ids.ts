import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { describeAmbiguity, expandShortId, searchAmong, type IdSearch } from '../../engine/core/short-ids.ts'
import type { View } from '../../engine/state/view.ts'

/** Returns the only id that begins with this prefix, or the given text if no id matches. Throws ApiError if several ids match. */
export function completeId(given: string, search: IdSearch, field = 'id'): string {
  const [id = given, ...others] = expandShortId(given, search)
  if (others.length === 0) return id
  throw new ApiError('conflict', {
    code: 'ambiguous_id',
    field,
    message: describeAmbiguity(given, [id, ...others]),
    hint: 'give more characters of the id',
  })
}

export const searchIds = (rows: readonly { readonly id: string }[]) => searchAmong(rows.map(({ id }) => id))

/** Completes the short id of an object. Also searches other ids in the body of the object. */
export function completeObjectId(
  given: string,
  view: View,
  {
    types = notifiedTypes,
    field,
  }: { readonly types?: readonly NotifiedType[]; readonly field?: string } = {},
): string {
  if (types.some((type) => view.storedId(type, given) !== undefined)) return given
  return completeId(
    given,
    (start) => types.flatMap((type) => [...view.objectIdsBeginning(type, start)]),
    field,
  )
}
