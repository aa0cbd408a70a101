import type { ObjectPage, ObjectSummary, TimelinePage } from '../../../spec/generated/control-types.ts'
import type { Perform } from '../../compose/perform.ts'

async function* eachPage<Page extends { readonly before: string | null }>(
  load: (from: { readonly before?: string }) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let before: string | null | undefined; before !== null;) {
    const page: Page = await load(before === undefined ? {} : { before })
    yield page
    before = page.before
  }
}

/** Loads jobs page by page, newest first. */
export function listJobPages(
  perform: Perform,
  query: { readonly limit: number; readonly text?: string },
): AsyncGenerator<TimelinePage> {
  return eachPage((from) => perform('listTimeline', { query: { ...query, ...from } }))
}

interface ObjectFilter {
  readonly type: string
  /** The first characters of the object ids. An empty text selects all objects. */
  readonly id: string
  /** The state of the objects. An empty text selects all states. */
  readonly state: string
}

const PAGE = 1_000

/** Loads the newest `pages` pages of objects, newest first. `older` is the number of objects on older pages. */
export async function listObjects(perform: Perform, { type, id, state }: ObjectFilter, pages: number) {
  const filter = { limit: PAGE, ...(id !== '' && { id }), ...(state !== '' && { state }) }
  const load = (from: object): Promise<ObjectPage> =>
    perform('listObjects', { path: { type }, query: { ...filter, ...from } })
  const objects: ObjectSummary[] = []
  let [older, count] = [0, 0]
  for await (const page of eachPage(load)) {
    objects.push(...page.objects.toReversed())
    older = page.older
    if (++count === pages) break
  }
  return { objects, older }
}
