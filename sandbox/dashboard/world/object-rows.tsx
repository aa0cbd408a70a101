import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ObjectSummary } from '../../../spec/generated/control-types.ts'
import { MODELS } from '../../../spec/generated/models.ts'
import { shortId } from '../../engine/core/short-text.ts'
import { ExactText } from '../delivery/exact-text.tsx'
import { PresentOnly } from '../parts/present-only.tsx'
import { useApp, useKeys } from '../parts/use-app.ts'
import { useListing } from '../parts/use-listing.ts'
import { useViewport } from '../parts/use-viewport.ts'
import { findVisibleRows, rowKey, scrollToRow } from '../parts/virtual-rows.ts'
import { listPages, type ObjectRows as Rows } from './list-pages.ts'

const ROW_HEIGHT = 28
export const TYPES = Object.keys(MODELS)

interface ObjectRowsProps {
  readonly type: string
  readonly chosenId: string | undefined
}

/** The objects of a type, newest first. Only visible rows are rendered. */
export function ObjectRows({ type, chosenId }: ObjectRowsProps) {
  const { perform, go } = useApp()
  const [id, setId] = useState('')
  const [state, setState] = useState('')
  const [pages, setPages] = useState(1)
  const listed = useListing(
    () => listPages(perform, { type, id, state }, pages),
    ['object', 'world'],
    `${type} ${id} ${state} ${pages}`,
  )
  // Keeps the earlier rows until new ones are loaded, so nothing jumps.
  const before = useRef<Rows>({ objects: [], older: 0 })
  if (listed) before.current = listed
  const { objects, older } = before.current
  return (
    <div class="rows">
      <div class="toolbar">
        <select
          aria-label="Objects of type"
          value={type}
          onChange={({ currentTarget }) => go({ screen: 'world', path: [currentTarget.value] })}
        >
          {TYPES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <Filter label={ID_LABEL} value={id} onText={setId} />
        <Filter label="State" value={state} onText={setState} />
      </div>
      <RowsInSight objects={objects} type={type} chosenId={chosenId}>
        {listed && objects.length === 0 && older === 0 && (
          <NoObjects type={type} filtered={id + state !== ''} />
        )}
      </RowsInSight>
      {older > 0 && (
        <button type="button" class="older" onClick={() => setPages(pages + 1)}>
          Look through older ones: {older}
        </button>
      )}
    </div>
  )
}

const ID_LABEL = 'Id begins with'

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
}

function Filter({ label, value, onText }: FilterProps) {
  const input = useRef<HTMLInputElement>(null)
  // Only the first field has the key.
  useKeys(label === ID_LABEL ? [{ key: '/', about: 'find an id', run: () => input.current?.focus() }] : [])
  return (
    <input
      ref={input}
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => onText(currentTarget.value.trim())}
    />
  )
}

interface RowsInSightProps extends ObjectRowsProps {
  readonly objects: readonly ObjectSummary[]
  /** The text for an empty list. */
  readonly children: ComponentChildren
}

function RowsInSight({ objects, type, chosenId, children }: RowsInSightProps) {
  const { go, link } = useApp()
  const { element, viewport } = useViewport()
  const { start, end } = findVisibleRows({ ...viewport, rowHeight: ROW_HEIGHT, count: objects.length })
  const at = objects.findIndex((each) => each.id === chosenId)
  function step(by: 1 | -1): void {
    const row = at === -1 ? 0 : at + by
    const next = objects[row]
    if (!next) return
    if (element.current) element.current.scrollTop = scrollToRow(row, { ...viewport, rowHeight: ROW_HEIGHT })
    go({ screen: 'world', path: [type, next.id] })
  }
  useKeys([
    { key: 'j', about: 'next object', run: () => step(1) },
    { key: 'k', about: 'object before', run: () => step(-1) },
  ])
  return (
    <div ref={element} class="scroller" role="group" aria-label="Objects" tabIndex={0}>
      {children}
      <div class="all" style={{ height: `${objects.length * ROW_HEIGHT}px` }}>
        <div class="in-sight" style={{ transform: `translateY(${start * ROW_HEIGHT}px)` }}>
          {objects.slice(start, end).map((each, index) => (
            <a
              key={rowKey(start + index)}
              class={each.id === chosenId ? 'line cursor' : 'line'}
              aria-current={each.id === chosenId ? 'true' : undefined}
              href={link({ screen: 'world', path: [each.object_type, each.id] })}
            >
              <span class="name">
                <span class="mono" title={each.id}>
                  <ExactText text={shortId(each.id)} />
                </span>{' '}
                <ExactText text={each.label} />
              </span>
              <span class="state">
                <ExactText text={each.state ?? ''} />
              </span>
            </a>
          ))}
        </div>
      </div>
    </div>
  )
}

function NoObjects({ type, filtered }: { readonly type: string; readonly filtered: boolean }) {
  const { show } = useApp()
  if (filtered) return <p class="empty">No {type} are like that</p>
  return (
    <div class="empty">
      <p>There are no {type} yet.</p>
      <PresentOnly>
        <button type="button" onClick={() => show({ kind: 'palette', query: `create ${type}` })}>
          Create one
        </button>
      </PresentOnly>
    </div>
  )
}
