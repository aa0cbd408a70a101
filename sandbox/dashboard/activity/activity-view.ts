import { computed, effect, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals'
import type { CraftedDelivery, TimelinePage } from '../../../spec/generated/control-types.ts'
import type { App } from '../state/app.ts'
import { createListing } from '../state/listing.ts'
import { createFilter, listLines, withCrafted, type Line, type Wish } from './lines.ts'
import { createSearch } from './search.ts'

/** The filter and the cursor of the list. They outlive the screen. */
export interface ActivityView {
  readonly text: Signal<string>
  readonly result: Signal<Wish['result']>
  readonly lines: ReadonlySignal<readonly Line[]>
  /** True while bodies and headers are searched. */
  readonly isSearching: ReadonlySignal<boolean>
  /** The key of the line under the keyboard cursor. */
  readonly cursor: Signal<string | undefined>
}

const [CRAFTED, PAGE, REST_MS] = [200, 1_000, 300]

export function createActivityView(app: App): ActivityView {
  const { data, version } = app.timeline
  const text = signal('')
  const result = signal<Wish['result']>('all')
  const { found, isSearching } = searchBodies(app, text)
  const crafted = createListing(app, {
    load: async () => (await app.perform('listDeliveries', { query: { limit: CRAFTED } })).deliveries,
    types: ['delivery', 'world'],
    onError: app.notices.sayError,
  })
  const isWanted = computed(() =>
    createFilter({ text: text.value, result: result.value, found: found.value }, data.value),
  )
  // Without a filter the lines change only with the number of jobs.
  const shape = computed(() => (isWanted.value ? version.value : sizeOf(version.value)))
  const sizeOf = (_: number) => data.value.size
  const lines = createSearch<Line>(() => {
    void shape.value
    const [{ value: present }, { value: wanted }] = [data, isWanted]
    return {
      length: present.groups.length,
      list: (start, end) => listLines(present, { start, end }, wanted),
    }
  }, app.ports)
  const byHand = computed(() =>
    (crafted.rows.value ?? []).filter((each) => isWantedByHand(each, text.value, result.value)).toReversed(),
  )
  return {
    text,
    result,
    isSearching,
    lines: computed(() => withCrafted(lines.value, byHand.value, data.value)),
    cursor: signal<string | undefined>(undefined),
  }
}

function isWantedByHand(delivery: CraftedDelivery, text: string, result: Wish['result']): boolean {
  if (result === 'open') return false
  if (result === 'failed' && delivery.exchanges.every(({ status }) => isAccepted(status))) return false
  const { id, url, request, exchanges } = delivery
  const texts = [id, url, request.body, ...exchanges.map(({ status, reason }) => status ?? reason)]
  return texts.join('\n').toLowerCase().includes(text.trim().toLowerCase())
}

export const isAccepted = (status: number | null) => status !== null && status >= 200 && status < 300

/** Searches the bodies and headers of all jobs once the reader stops typing. */
function searchBodies(app: App, text: Signal<string>) {
  const found = signal<ReadonlySet<string>>(new Set())
  const isSearching = signal(false)
  let cancel = () => {}

  async function search(wanted: string): Promise<void> {
    const ids = new Set<string>()
    for (let before: string | null | undefined; before !== null;) {
      const page: TimelinePage = await app.perform('listTimeline', {
        query: { limit: PAGE, text: wanted, ...(before !== undefined && { before }) },
      })
      if (text.peek().trim() !== wanted) return
      for (const { job } of page.jobs) ids.add(job.id)
      before = page.before
    }
    found.value = ids
    isSearching.value = false
  }

  effect(() => {
    const wanted = text.value.trim()
    cancel()
    untracked(() => {
      found.value = new Set()
      isSearching.value = wanted.length > 1
    })
    if (wanted.length < 2) return
    cancel = app.ports.after(REST_MS, () => {
      search(wanted).catch((error: unknown) => {
        isSearching.value = false
        app.notices.sayError(error)
      })
    })
  })
  return { found, isSearching }
}
