import { computed, effect, signal, untracked, type Signal } from '@preact/signals'
import { listJobPages } from '../data/pages.ts'
import type { App } from '../state/app.ts'
import { createListing, createRepetition } from '../data/listing.ts'
import type { PagePorts } from '../state/page-ports.ts'
import { createFilter, isWantedByHand, listLines, withCrafted, type Line, type Result } from './lines.ts'

const [CRAFTED, PAGE, REST_MS] = [200, 1_000, 300]

export type ActivityView = ReturnType<typeof createActivityView>

/** Creates the state of the activity screen: lines, filter and cursor. This state persists when the screen closes. */
export function createActivityView(app: App) {
  const { data, version } = app.timeline
  const text = signal('')
  const result = signal<Result>('all')
  const { found, isSearching } = searchBodies(app, text)
  const crafted = createListing(app, {
    load: () => app.perform('listDeliveries', { query: { limit: CRAFTED } }),
    types: ['delivery'],
    onError: app.notices.sayError,
  })
  const wish = computed(() => ({ text: text.value, result: result.value, found: found.value }))
  const isWanted = computed(() => createFilter(wish.value, data.value))
  // Without a filter, the lines change only when the number of jobs changes.
  const shape = computed(() => {
    const present = version.value
    return isWanted.value ? present : data.value.size()
  })
  const lines = createListSearch<Line>(() => {
    void shape.value
    const [{ value: present }, { value: wanted }] = [data, isWanted]
    return {
      length: present.groups.length(),
      list: (start, end) => listLines(present, { start, end }, wanted),
    }
  }, app.ports)
  const byHand = computed(() =>
    (crafted.rows.value?.deliveries ?? []).filter((each) => isWantedByHand(each, wish.value)).toReversed(),
  )
  return {
    text,
    result,
    isSearching,
    lines: computed(() => withCrafted(lines.value, byHand.value, data.value)),
    cursor: signal<string | undefined>(undefined),
  }
}

interface Source<Row> {
  readonly length: number
  /** Lists the matching rows from `start` (inclusive) to `end` (exclusive). */
  list(start: number, end: number): readonly Row[]
}

/** The maximum duration of a batch in milliseconds, and the number of rows between time checks. */
const [PART_MS, STEP] = [6, 500]

/** Searches the list, one batch per frame. A change during a search does not interrupt it, but triggers another search. */
export function createListSearch<Row>(
  read: () => Source<Row>,
  { soon, elapsed }: Pick<PagePorts, 'soon' | 'elapsed'>,
) {
  const rows = signal<readonly Row[]>([])
  let newest: Source<Row>
  const search = createRepetition(async () => {
    const source = newest
    const found: Row[] = []
    let until = elapsed() + PART_MS
    for (let place = 0; place < source.length; place += STEP) {
      if (elapsed() >= until) {
        await new Promise<void>((resolve) => soon(resolve))
        until = elapsed() + PART_MS
      }
      for (const row of source.list(place, place + STEP)) found.push(row)
    }
    rows.value = found
  })
  effect(() => {
    newest = read()
    untracked(search)
  })
  return rows
}

function searchBodies({ perform, ports, run }: App, text: Signal<string>) {
  const found = signal<ReadonlySet<string>>(new Set())
  const isSearching = signal(false)
  let cancel = () => {}

  async function search(wanted: string): Promise<void> {
    const isOver = () => text.peek().trim() !== wanted
    const ids = new Set<string>()
    try {
      for await (const { jobs } of listJobPages(perform, { limit: PAGE, text: wanted })) {
        if (isOver()) return
        for (const { job } of jobs) ids.add(job.id)
      }
      found.value = ids
    } finally {
      if (!isOver()) isSearching.value = false
    }
  }

  effect(() => {
    const wanted = text.value.trim()
    cancel()
    found.value = new Set()
    isSearching.value = wanted.length > 1
    if (wanted.length > 1) cancel = ports.after(REST_MS, () => void run(() => search(wanted)))
  })
  return { found, isSearching }
}
