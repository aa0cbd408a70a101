import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

/** A long list that is looked through a part at a time. */
export interface Source<Row> {
  readonly length: number
  /** Those that are wanted of the places from the `start`th to before the `end`th. */
  list(start: number, end: number): readonly Row[]
}

interface SearchPorts {
  readonly soon: (run: () => void) => void
  readonly elapsed: () => number
}

/** How long one part may take, and how many places are looked at between two looks at the clock. */
const [PART_MS, STEP] = [6, 500]

/**
 * What a source has, again after each change of what `read` reads. A part is found before each picture, so that no search holds
 * the page up; what was found before is shown until all is.
 */
export function createSearch<Row>(
  read: () => Source<Row>,
  { soon, elapsed }: SearchPorts,
): ReadonlySignal<readonly Row[]> {
  const found = signal<readonly Row[]>([])
  let current = 0

  effect(() => {
    const source = read()
    const own = ++current
    const rows: Row[] = []
    let place = 0

    function look(): void {
      if (own !== current) return
      const until = elapsed() + PART_MS
      while (place < source.length && elapsed() < until) {
        for (const row of source.list(place, place + STEP)) rows.push(row)
        place += STEP
      }
      if (place >= source.length) found.value = rows
      else soon(look)
    }
    untracked(look)
  })
  return found
}
