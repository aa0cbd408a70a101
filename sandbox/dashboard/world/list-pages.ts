import type { ObjectPage, ObjectSummary } from '../../../spec/generated/control-types.ts'
import type { Perform } from '../../compose/perform.ts'

export interface ObjectRows {
  /** Newest first. */
  readonly objects: readonly ObjectSummary[]
  /** The number of objects beyond the loaded pages. */
  readonly older: number
}

interface ObjectFilter {
  readonly type: string
  /** The beginning of ids. Empty for all. */
  readonly id: string
  /** Empty for all. */
  readonly state: string
}

const PAGE = 1_000

/** Loads the newest pages of objects. */
export async function listPages(
  perform: Perform,
  { type, id, state }: ObjectFilter,
  pages: number,
): Promise<ObjectRows> {
  const objects: ObjectSummary[] = []
  let [older, before]: [number, string | null] = [0, '']
  for (let page = 0; page < pages && before !== null; page++) {
    const query = {
      limit: PAGE,
      ...(id !== '' && { id }),
      ...(state !== '' && { state }),
      ...(before !== '' && { before }),
    }
    const reply: ObjectPage = await perform('listObjects', { path: { type }, query })
    objects.push(...reply.objects.toReversed())
    ;({ older, before } = reply)
  }
  return { objects, older }
}
