import { useLayoutEffect } from 'preact/hooks'
import { ActButton } from '../parts/act-button.tsx'
import { SearchField } from '../parts/fields.tsx'
import { Findings } from '../parts/findings.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import { useApp, useKeys, useRegistrations, useTimelineData } from '../parts/use-app.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { ActivityRow, routeOf } from './activity-row.tsx'
import type { ActivityView } from './activity-view.ts'
import type { Result } from './lines.ts'

const COLUMNS = ['Sent', 'Result', 'Attempts', 'Latency', 'Calls back', 'Time']

interface ActivityListProps {
  readonly view: ActivityView
  readonly openId: string | undefined
}

export function ActivityList({ view, openId }: ActivityListProps) {
  const { go } = useApp()
  const { cursor } = view
  const lines = view.lines.value
  useSelection(openId ?? cursor.value)
  const open = () => {
    const line = lines.find(({ key }) => key === cursor.value)
    if (line) go(routeOf(line))
  }
  useKeys([{ key: 'Enter', about: 'open the row', run: open }])
  return (
    <div class="rows">
      <Toolbar {...view} />
      {lines.length === 0 ? (
        <EmptyActivity isFiltered={view.text.value !== '' || view.result.value !== 'all'} />
      ) : (
        <div class="table" role="table" aria-label="Deliveries" aria-rowcount={lines.length + 1}>
          <div role="rowgroup" class="head">
            <div role="row" class="row">
              {COLUMNS.map((name) => (
                <span key={name} role="columnheader">
                  {name}
                </span>
              ))}
            </div>
          </div>
          <VirtualList
            role="rowgroup"
            rows={lines}
            isAt={({ key }) => key === (cursor.value ?? openId)}
            onStep={(line) => {
              cursor.value = line.key
              if (openId !== undefined) go(routeOf(line))
            }}
          >
            {(line, key) => (
              <ActivityRow
                key={key}
                line={line}
                mark={`${line.key === openId ? ' open' : ''}${line.key === cursor.value ? ' cursor' : ''}`}
                onChoose={() => (cursor.value = line.key)}
              />
            )}
          </VirtualList>
        </div>
      )}
    </div>
  )
}

/** Selects the delivery or payment in the chosen row, so that keyboard shortcuts apply to it. */
function useSelection(chosen = ''): void {
  const { selection, timeline } = useApp()
  const data = timeline.data.value
  const job = data.job(chosen)
  const jobId = job && chosen
  const paymentId = (job ? job.summary.payment_id : data.groups.find(chosen)?.paymentId) ?? undefined
  useLayoutEffect(() => {
    selection.value = { jobId, paymentId }
    return () => (selection.value = {})
  }, [jobId, paymentId])
}

const RESULTS: readonly (readonly [Result, string])[] = [
  ['all', 'All'],
  ['failed', 'Failed'],
  ['open', 'Pending'],
]

function Toolbar({ text, result, isSearching }: ActivityView) {
  const { timeline } = useApp()
  const unlisted = timeline.unlisted.value ?? 0
  const data = useTimelineData()
  const toggle = () => (result.value = result.value === 'failed' ? 'all' : 'failed')
  useKeys([{ key: 'x', about: 'failed only', run: toggle }])
  return (
    <div class="toolbar">
      <SearchField
        label="Search"
        placeholder="Search payments, amounts, states, statuses, bodies"
        value={text.value}
        onText={(typed) => (text.value = typed)}
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
      {data.size() > 0 && (
        <PresentOnly>
          <PlayButton />
        </PresentOnly>
      )}
      <span class="dim" role="status">
        {isSearching.value ? 'Searching bodies' : unlisted > 0 ? `Loading ${unlisted} more` : ''}
      </span>
    </div>
  )
}

function EmptyActivity({ isFiltered }: { readonly isFiltered: boolean }) {
  const { timeline, rewind } = useApp()
  if (timeline.unlisted.value === undefined) return <p class="empty loading">Loading deliveries</p>
  const isEmpty = timeline.data.value.size() === 0 && !isFiltered
  if (isEmpty && !rewind.isPast.value) return <FirstSteps />
  return (
    <div class="empty">
      <h2>{isEmpty ? 'No notification had been sent by then' : 'No delivery matches'}</h2>
      {!isEmpty && (
        <p>The search covers payments, amounts, types, states, statuses, ids, bodies and headers.</p>
      )}
    </div>
  )
}

const DOCS = 'https://hookbench.github.io/hookbench/tutorial'

function FirstSteps() {
  const { link } = useApp()
  const registrations = useRegistrations()
  if (!registrations) return null
  const isRegistered = registrations.some(({ enabled }) => enabled)
  const note = isRegistered ? '' : '. No notification was sent, because no receiver is registered'
  return (
    <div class="empty">
      <h2>No notification was sent yet</h2>
      <p>Each notification to your receiver appears here, with its result.</p>
      <PresentOnly>
        <div class="actions">
          <PlayButton class={isRegistered ? 'main' : ''} note={note} />
          <a
            class={isRegistered ? 'button' : 'button main'}
            href={link({ screen: 'world', path: ['register'] })}
          >
            Register your receiver
          </a>
          <a href={DOCS} target="_blank" rel="noreferrer">
            Read the tutorial
          </a>
        </div>
      </PresentOnly>
      {!isRegistered && (
        <details>
          <summary>Why no notification is sent</summary>
          <Findings />
        </details>
      )}
    </div>
  )
}

function PlayButton({ class: name = '', note = '' }: { readonly class?: string; readonly note?: string }) {
  const { perform } = useApp()
  return (
    <ActButton
      class={name}
      act={() => perform('playPayment', { body: { kind: 'card-payin' } })}
      done={() => `Played a card pay-in${note}`}
    >
      Play a payment
    </ActButton>
  )
}
