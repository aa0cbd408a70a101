import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useKeys } from './use-app.ts'

interface VirtualListProps<Row> {
  readonly role?: 'group' | 'rowgroup'
  readonly label?: string
  readonly rows: readonly Row[]
  readonly isAt: (row: Row) => boolean
  readonly onStep: (row: Row) => void
  readonly children: (row: Row, key: number) => ComponentChildren
}

/** A list that renders only the visible rows. The CSS variable `--row` sets the height of a row. */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { role = 'group', label, rows, isAt, onStep, children } = props
  const { element, viewport } = useViewport()
  const { rowHeight } = viewport
  const { start, end } = findVisibleRows({ ...viewport, count: rows.length })
  const step = (by: 1 | -1) => () => {
    const from = rows.findIndex(isAt)
    const index = from === -1 ? 0 : from + by
    const row = rows[index]
    if (row === undefined) return
    if (element.current) element.current.scrollTop = scrollToRow(index, viewport)
    onStep(row)
  }
  useKeys([
    { key: 'j', about: 'next row', run: step(1) },
    { key: 'k', about: 'previous row', run: step(-1) },
    { key: 'ArrowDown', about: 'next row', run: step(1) },
    { key: 'ArrowUp', about: 'previous row', run: step(-1) },
  ])
  return (
    <div ref={element} class="scroller" role={role} aria-label={label} tabIndex={0}>
      <div class="all" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        <div class="in-sight" role="presentation" style={{ transform: `translateY(${start * rowHeight}px)` }}>
          {rows.slice(start, end).map((row, index) => children(row, rowKey(start + index)))}
        </div>
      </div>
    </div>
  )
}

function useViewport() {
  const element = useRef<HTMLDivElement>(null)
  const [viewport, setViewport] = useState({ scrollTop: 0, height: 0, rowHeight: 1 })
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return undefined
    const measure = () => {
      const { scrollTop, clientHeight: height } = current
      const rowHeight = Number.parseFloat(getComputedStyle(current).getPropertyValue('--row'))
      setViewport((before) =>
        before.scrollTop === scrollTop && before.height === height && before.rowHeight === rowHeight
          ? before
          : { scrollTop, height, rowHeight },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    current.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', measure)
    }
  }, [])
  return { element, viewport }
}

interface Viewport {
  readonly scrollTop: number
  readonly height: number
  readonly rowHeight: number
  readonly count: number
}

const AROUND = 8
const MAX_ROWS = 120

/** Returns the range of rows to render: the visible rows, and some rows above and below them. `end` is exclusive. */
function findVisibleRows({ scrollTop, height, rowHeight, count }: Viewport) {
  const first = Math.floor(scrollTop / rowHeight) - AROUND
  const start = Math.max(0, Math.min(first, count - 1))
  const wanted = Math.ceil(height / rowHeight) + 2 * AROUND + 1
  return { start, end: Math.min(count, start + Math.min(wanted, MAX_ROWS)) }
}

/** Returns the key of a row for rendering. Keys repeat, so that a new row reuses the element of a hidden row. */
function rowKey(row: number): number {
  return row % (MAX_ROWS + 1)
}

function scrollToRow(row: number, { scrollTop, height, rowHeight }: Omit<Viewport, 'count'>): number {
  const top = row * rowHeight
  if (top < scrollTop) return top
  return Math.max(scrollTop, top + rowHeight - height)
}
