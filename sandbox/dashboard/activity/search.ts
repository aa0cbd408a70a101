import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

/** A long list that is searched in parts. */
export interface Source<Row> {
  readonly length: number
  /** Lists the wanted rows from `start` to before `end`. */
  list(start: number, end: number): readonly Row[]
}

interface SearchPorts {
  readonly soon: (run: () => void) => void
  readonly elapsed: () => number
}

/** The longest part in milliseconds, and the rows between two looks at the clock. */
const [PART_MS, STEP] = [6, 500]

/**
 * Searches a source again after each change of the signals that `read` uses. One part is searched before each
 * frame, so no search blocks the page. Until a search ends, the earlier rows stay. Changes meanwhile cause
 * one more search at the end, so constant changes cannot starve it.
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
