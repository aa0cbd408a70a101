interface Viewport {
  readonly scrollTop: number
  readonly height: number
  readonly rowHeight: number
  readonly count: number
}

const AROUND = 8
/** The maximum number of rendered rows. */
const MAX_ROWS = 120

/** Returns the range of rendered rows. The range contains the visible rows and some rows above and below. `end` is exclusive. */
export function findVisibleRows({ scrollTop, height, rowHeight, count }: Viewport) {
  const first = Math.floor(scrollTop / rowHeight) - AROUND
  const start = Math.max(0, Math.min(first, count - 1))
  const wanted = Math.ceil(height / rowHeight) + 2 * AROUND + 1
  return { start, end: Math.min(count, start + Math.min(wanted, MAX_ROWS)) }
}

/** Returns a repeating key, so that the element of a hidden row is reused. */
export function rowKey(row: number): number {
  return row % (MAX_ROWS + 1)
}

/** Returns the scroll offset that makes a row visible. */
export function scrollToRow(row: number, { scrollTop, height, rowHeight }: Omit<Viewport, 'count'>): number {
  const top = row * rowHeight
  if (top < scrollTop) return top
  return Math.max(scrollTop, top + rowHeight - height)
}
