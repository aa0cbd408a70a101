import { useRef } from 'preact/hooks'
import { useApp, useKeys } from '../parts/use-app.ts'
import { useViewport } from '../parts/use-viewport.ts'
import { findVisibleRows, rowKey, scrollToRow } from '../parts/virtual-rows.ts'
import { ActivityRow } from './activity-row.tsx'
import type { ActivityView } from './activity-view.ts'
import type { Wish } from './lines.ts'
import { useRowKeys, type Opened } from './use-row-keys.ts'
import { commandLine } from '../../engine/core/command-line.ts'
import { Findings } from '../parts/findings.tsx'
import { PresentOnly } from '../parts/present-only.tsx'
import { useListing } from '../parts/use-listing.ts'

/** Below this width a row has two lines. */
const NARROW = 820
const [ROW_HEIGHT, NARROW_ROW_HEIGHT] = [34, 56]
const COLUMNS = ['Sent', 'Result', 'Attempts', 'Latency', 'Calls back', 'Time']

interface ActivityListProps {
  readonly view: ActivityView
  readonly open: Opened | undefined
}

export function ActivityList({ view, open }: ActivityListProps) {
  const { element, viewport } = useViewport()
  const isNarrow = viewport.width < NARROW
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT
  const lines = view.lines.value
  const { start, end } = findVisibleRows({ ...viewport, rowHeight, count: lines.length })
  useRowKeys({
    view,
    open,
    scrollTo(row) {
      const { current } = element
      if (current) current.scrollTop = scrollToRow(row, { ...viewport, rowHeight })
    },
  })
  return (
    <div class={isNarrow ? 'rows narrow' : 'rows'}>
      <Toolbar view={view} />
      <div
        class="table"
        role="table"
        aria-label="Deliveries"
        aria-rowcount={lines.length + 1}
        style={{ '--row': `${rowHeight}px` }}
      >
        <Head />
        <div ref={element} class="scroller" role="rowgroup" tabIndex={0}>
          <div class="all" role="presentation" style={{ height: `${lines.length * rowHeight}px` }}>
            <div
              class="in-sight"
              role="presentation"
              style={{ transform: `translateY(${start * rowHeight}px)` }}
            >
              {lines.slice(start, end).map((line, index) => (
                <ActivityRow
                  key={rowKey(start + index)}
                  line={line}
                  isOpen={line.key === open?.id}
                  isCursor={line.key === view.cursor.value}
                  onChoose={() => (view.cursor.value = line.key)}
                />
              ))}
            </div>
          </div>
        </div>
      </div>
      {lines.length === 0 && <EmptyActivity isFiltered={hasFilter(view)} />}
    </div>
  )
}

const hasFilter = ({ text, result }: ActivityView) => text.value !== '' || result.value !== 'all'

function Head() {
  return (
    <div role="rowgroup" class="head">
      <div role="row" class="row">
        {COLUMNS.map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
    </div>
  )
}

const RESULTS: readonly (readonly [Wish['result'], string])[] = [
  ['all', 'All'],
  ['failed', 'Failed'],
  ['open', 'Pending'],
]

function Toolbar({ view: { text, result, isSearching } }: Pick<ActivityListProps, 'view'>) {
  const { timeline } = useApp()
  const input = useRef<HTMLInputElement>(null)
  const unlisted = timeline.unlisted.value ?? 0
  useKeys([
    { key: '/', about: 'search', run: () => input.current?.focus() },
    {
      key: 'x',
      about: 'failed only',
      run: () => (result.value = result.value === 'failed' ? 'all' : 'failed'),
    },
  ])
  return (
    <div class="toolbar">
      <input
        ref={input}
        type="search"
        aria-label="Search"
        placeholder="Search payments, amounts, states, statuses, bodies"
        spellcheck={false}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          // Keeps the key out of the field.
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
      <div class="switch" role="group" aria-label="Result">
        {RESULTS.map(([each, label]) => (
          <button
            key={each}
            type="button"
            aria-pressed={result.value === each}
            onClick={() => (result.value = each)}
          >
            {label}
          </button>
        ))}
      </div>
      <span class="dim" role="status">
        {isSearching.value ? 'Searching bodies' : unlisted > 0 ? `Loading ${unlisted} more` : ''}
      </span>
    </div>
  )
}

const DOCS = 'https://hookbench.github.io/hookbench/tutorial'

function EmptyActivity({ isFiltered }: { readonly isFiltered: boolean }) {
  const { timeline, rewind } = useApp()
  if (timeline.unlisted.value === undefined) return <p class="empty loading">Loading deliveries</p>
  if (timeline.data.value.size > 0 || isFiltered) {
    return (
      <div class="empty">
        <h2>No delivery matches</h2>
        <p>The search covers payments, amounts, types, states, statuses, ids, bodies and headers.</p>
      </div>
    )
  }
  if (rewind.at.value !== undefined) {
    return (
      <div class="empty">
        <h2>Nothing had been sent by then</h2>
      </div>
    )
  }
  return <FirstSteps />
}

function FirstSteps() {
  const { perform, link, run, target } = useApp()
  const list = useListing(
    () => perform('listRegistrations'),
    ['registration', 'registration_removed', 'world'],
  )
  if (!list) return null
  const isRegistered = list.registrations.some(({ enabled }) => enabled)
  const play = () =>
    void run(
      () => perform('playPayment', { body: { kind: 'card-payin' } }),
      () =>
        isRegistered
          ? 'Played a card pay-in'
          : 'Played a card pay-in. Nothing was sent: no receiver is registered',
    )
  return (
    <div class="empty">
      <h2>Nothing was sent yet</h2>
      <p>Each notification to your receiver appears here, with its result.</p>
      <PresentOnly>
        <div class="actions">
          <button type="button" class={isRegistered ? 'main' : ''} onClick={play}>
            Play a payment
          </button>
          <a class={isRegistered ? 'button' : 'button main'} href={link({ screen: 'world', path: [] })}>
            Register your receiver
          </a>
          <a href={DOCS} target="_blank" rel="noreferrer">
            Read the tutorial
          </a>
        </div>
      </PresentOnly>
      {!isRegistered && (
        <details>
          <summary>Why nothing is sent</summary>
          <Findings />
          <p>
            Your receiver needs a certificate: <code>{commandLine('cert localhost', target.value)}</code>
          </p>
        </details>
      )}
    </div>
  )
}
