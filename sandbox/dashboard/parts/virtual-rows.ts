/** Which rows are in the page: those in sight, and some around them for a quick hand. */
export interface VisibleRows {
  readonly start: number
  readonly end: number
}

interface Viewport {
  readonly scrollTop: number
  readonly height: number
  readonly rowHeight: number
  readonly count: number
}

const AROUND = 8
/** However high the window is: with their twins in the table, two hundred are in the page at most. */
const MOST_ROWS = 120

export function findVisibleRows({ scrollTop, height, rowHeight, count }: Viewport): VisibleRows {
  const first = Math.floor(scrollTop / rowHeight) - AROUND
  const start = Math.max(0, Math.min(first, count - 1))
  const wanted = Math.ceil(height / rowHeight) + 2 * AROUND + 1
  return { start, end: Math.min(count, start + Math.min(wanted, MOST_ROWS)) }
}

/** The key of a row in the page: what goes out of sight is used again for what comes into it. */
export function rowKey(row: number): number {
  return row % (MOST_ROWS + 1)
}

/** How far to scroll so that a row is in sight; as far as it is if it is in sight. */
export function scrollToRow(row: number, { scrollTop, height, rowHeight }: Omit<Viewport, 'count'>): number {
  const top = row * rowHeight
  if (top < scrollTop) return top
  return Math.max(scrollTop, top + rowHeight - height)
}
