import { useApp } from '../parts/use-app.ts'
import { Axis } from './axis.tsx'
import { EmptyTimeline } from './empty-timeline.tsx'
import { createScale, findTicks, panSpan, zoomSpan, type TimeScale } from './scale.ts'
import { TableTwin } from './table-twin.tsx'
import { InboxLine, TimelineLine } from './timeline-lines.tsx'
import type { TimelineView } from './timeline-view.ts'
import { Toolbar } from './toolbar.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { useViewport } from '../parts/use-viewport.ts'
import { findVisibleRows, rowKey, scrollToRow, type VisibleRows } from '../parts/virtual-rows.ts'

const ROW_HEIGHT = 26
const [NAME_WIDTH, NARROW_NAME_WIDTH, NARROW] = [300, 150, 640]

interface RowListProps {
  readonly view: TimelineView
  /** The delivery that is open beside it. */
  readonly jobId: string | undefined
}

/** The rows, of which only those in sight are in the page. */
export function RowList({ view, jobId }: RowListProps) {
  const { clock, rewind } = useApp()
  const { element, viewport } = useViewport()
  const isTimeline = view.mode.value === 'timeline'
  const count = isTimeline ? view.lines.value.length : view.jobIds.value.length
  const visible = findVisibleRows({ ...viewport, rowHeight: ROW_HEIGHT, count })
  const nameWidth = viewport.width < NARROW ? NARROW_NAME_WIDTH : NAME_WIDTH
  const scale = createScale(view.span.value, Math.max(1, viewport.width - nameWidth))
  useRowKeys({
    view,
    jobId,
    scrollTo(row) {
      const { current } = element
      if (current) current.scrollTop = scrollToRow(row, { ...viewport, rowHeight: ROW_HEIGHT })
    },
  })
  return (
    <div class="rows" style={{ '--name': `${nameWidth}px` }}>
      <Toolbar view={view} visible={() => view.lines.value.slice(visible.start, visible.end)} />
      {isTimeline && (
        <div class="axis-row">
          <Axis scale={scale} now={rewind.at.value ?? clock.now.value} />
        </div>
      )}
      <div
        ref={element}
        class="scroller"
        role="group"
        aria-label="Deliveries"
        tabIndex={0}
        onWheel={(event) => isTimeline && turnWheel(event, view, scale)}
      >
        {count === 0 && <EmptyTimeline filtered={view.filter.value !== ''} />}
        <div class="all" style={{ height: `${count * ROW_HEIGHT}px` }}>
          <RowsInSight view={view} jobId={jobId} visible={visible} scale={scale} />
        </div>
      </div>
      <TableTwin view={view} visible={visible} />
    </div>
  )
}

interface RowsInSightProps extends RowListProps {
  readonly visible: VisibleRows
  readonly scale: TimeScale
}

/** For the eye: the table beside it says the same. */
function RowsInSight({ view, jobId, visible: { start, end }, scale }: RowsInSightProps) {
  const { go } = useApp()
  const { mode, lines, jobIds, cursor } = view
  const grid = findTicks(scale)
    .map(({ x }) => `M${Math.round(x)}.5 0v${ROW_HEIGHT}`)
    .join('')
  return (
    <div class="in-sight" aria-hidden="true" style={{ transform: `translateY(${start * ROW_HEIGHT}px)` }}>
      {mode.value === 'timeline'
        ? lines.value.slice(start, end).map((line, index) => (
            <TimelineLine
              key={rowKey(start + index)}
              line={line}
              scale={scale}
              grid={grid}
              jobId={jobId}
              isCursor={cursor.value?.key === line.key}
              onChoose={(id) => {
                cursor.value = { key: line.key, jobId: id }
                if (id !== undefined) go({ screen: 'timeline', path: [id] })
              }}
            />
          ))
        : jobIds.value
            .slice(start, end)
            .map((id, index) => (
              <InboxLine
                key={rowKey(start + index)}
                id={id}
                isCursor={cursor.value?.key === id}
                isChosen={jobId === id}
              />
            ))}
    </div>
  )
}

/** With Ctrl it zooms around the pointer, with Shift or sideways it moves through time; otherwise it scrolls. */
function turnWheel(event: WheelEvent, { zoomed, span }: TimelineView, scale: TimeScale): void {
  const sideways = event.shiftKey ? event.deltaY : event.deltaX
  if (!event.ctrlKey && Math.abs(sideways) < 1) return
  event.preventDefault()
  const around = Math.min(1, Math.max(0, event.offsetX / scale.width))
  zoomed.value = event.ctrlKey
    ? zoomSpan(span.value, Math.exp(event.deltaY / 300), around)
    : panSpan(span.value, sideways / scale.width)
}
