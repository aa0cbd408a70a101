import { useRef } from 'preact/hooks'
import { useApp, useKeys } from '../parts/use-app.ts'
import type { Line } from './lines.ts'
import { zoomSpan } from './scale.ts'
import { fitLines, type TimelineView } from './timeline-view.ts'

interface ToolbarProps {
  readonly view: TimelineView
  /** What is in sight, for whoever wants to see all of it. */
  readonly visible: () => readonly Line[]
}

/** What is shown and how: as a timeline or an inbox, which of it, and what span of time. */
export function Toolbar(props: ToolbarProps) {
  const { timeline } = useApp()
  const { mode } = props.view
  const unlisted = timeline.unlisted.value ?? 0
  return (
    <div class="toolbar">
      <ViewSwitch view={props.view} />
      <Search view={props.view} />
      <span class="dim" role="status">
        {unlisted > 0 ? `listing ${unlisted} more` : ''}
      </span>
      {mode.value === 'timeline' && <ZoomButtons {...props} />}
    </div>
  )
}

const MODES = [
  ['timeline', 'Timeline'],
  ['inbox', 'Inbox'],
] as const

function ViewSwitch({ view: { mode } }: { readonly view: TimelineView }) {
  const other = mode.value === 'timeline' ? 'inbox' : 'timeline'
  useKeys([{ key: 'i', about: 'timeline or inbox', run: () => (mode.value = other) }])
  return (
    <div class="switch" role="group" aria-label="View">
      {MODES.map(([each, label]) => (
        <button
          key={each}
          type="button"
          aria-pressed={mode.value === each}
          onClick={() => (mode.value = each)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function Search({ view: { filter } }: { readonly view: TimelineView }) {
  const input = useRef<HTMLInputElement>(null)
  useKeys([{ key: '/', about: 'search', run: () => input.current?.focus() }])
  return (
    <input
      ref={input}
      type="search"
      aria-label="Search"
      placeholder="Search: type, id, state, status"
      spellcheck={false}
      value={filter.value}
      onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return
        // It leaves the field, and nothing else.
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}

const NEARER = 0.5

function ZoomButtons({ view: { zoomed, span }, visible }: ToolbarProps) {
  const zoom = (factor: number) => (zoomed.value = zoomSpan(span.value, factor, 0.5))
  const [zoomIn, zoomOut] = [() => zoom(NEARER), () => zoom(1 / NEARER)]
  // First to what is in sight; once more to the newest, and to go on with them.
  const fit = () => (zoomed.value = zoomed.value ? undefined : fitLines(visible()))
  useKeys([
    { key: '+', about: 'zoom in', run: zoomIn },
    { key: '-', about: 'zoom out', run: zoomOut },
    { key: '0', about: 'fit', run: fit },
  ])
  return (
    <div class="switch" role="group" aria-label="Zoom">
      <button type="button" aria-label="Zoom out" onClick={zoomOut}>
        −
      </button>
      <button type="button" aria-label="Zoom in" onClick={zoomIn}>
        +
      </button>
      <button type="button" onClick={fit}>
        Fit
      </button>
    </div>
  )
}
