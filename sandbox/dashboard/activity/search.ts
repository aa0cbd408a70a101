import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

/** A long list that is searched a part at a time. */
export interface Source<Row> {
  readonly length: number
  /** The wanted rows of the places from the `start`th to before the `end`th. */
  list(start: number, end: number): readonly Row[]
}

interface SearchPorts {
  readonly soon: (run: () => void) => void
  readonly elapsed: () => number
}

/** The longest part in milliseconds, and the places between two looks at the clock. */
const [PART_MS, STEP] = [6, 500]

/**
 * Returns the rows of a source, searched again after each change of the signals that `read` reads. A part is searched before each frame,
 * so that no search blocks the page. Until a search ends, the rows of the search before are shown. A change meanwhile is one more search
 * at the end, so that constant changes do not keep it from ending.
 */
export function createSearch<Row>(
  read: () => Source<Row>,
  { soon, elapsed }: SearchPorts,
): ReadonlySignal<readonly Row[]> {
  const found = signal<readonly Row[]>([])
  let next: Source<Row> | undefined
  let isUnderWay = false

  function search(source: Source<Row>): void {
    const rows: Row[] = []
    let place = 0
    isUnderWay = true

    function look(): void {
      const until = elapsed() + PART_MS
      while (place < source.length && elapsed() < until) {
        for (const row of source.list(place, place + STEP)) rows.push(row)
        place += STEP
      }
      if (place < source.length) return soon(look)
      found.value = rows
      isUnderWay = false
      const following = next
      next = undefined
      if (following) search(following)
    }
    look()
  }

  effect(() => {
    const source = read()
    untracked(() => {
      if (isUnderWay) next = source
      else search(source)
    })
  })
  return found
}
