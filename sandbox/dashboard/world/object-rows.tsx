import { useRef, useState } from 'preact/hooks'
import type { ObjectSummary } from '../../../spec/generated/control-types.ts'
import { shortId } from '../../engine/core/short-text.ts'
import { ExactText } from '../delivery/exact-text.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import { useApp, useKeys, useListing } from '../parts/use-app.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { listPages, type ObjectRows as Rows } from './list-pages.ts'
import { Choice, TYPES } from './register-form.tsx'

interface ObjectRowsProps {
  readonly type: string
  readonly chosenId: string | undefined
}

/** The objects of a type, newest first. */
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
        <Choice
          label="Objects of type"
          options={TYPES.map((each) => [each, each])}
          value={type}
          onChoice={(each) => go({ screen: 'world', path: [each] })}
        />
        <Filter label={ID_LABEL} value={id} onText={setId} />
        <Filter label="State" value={state} onText={setState} />
      </div>
      {listed && objects.length === 0 && older === 0 ? (
        <NoObjects type={type} isFiltered={id + state !== ''} />
      ) : (
        <VirtualList
          role="group"
          label="Objects"
          rows={objects}
          isAt={(each) => each.id === chosenId}
          onStep={(each) => go({ screen: 'world', path: [type, each.id] })}
        >
          {(each, key) => <ObjectLine key={key} object={each} isChosen={each.id === chosenId} />}
        </VirtualList>
      )}
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
  // The key `/` focuses only the first filter.
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

interface ObjectLineProps {
  readonly object: ObjectSummary
  readonly isChosen: boolean
}

function ObjectLine({ object: { object_type, id, label, state }, isChosen }: ObjectLineProps) {
  const { link } = useApp()
  return (
    <a
      class={isChosen ? 'line cursor' : 'line'}
      aria-current={isChosen ? 'true' : undefined}
      href={link({ screen: 'world', path: [object_type, id] })}
    >
      <span class="name">
        <span class="mono" title={id}>
          <ExactText text={shortId(id)} />
        </span>{' '}
        <ExactText text={label} />
      </span>
      <span class="state">
        <ExactText text={state ?? ''} />
      </span>
    </a>
  )
}

function NoObjects({ type, isFiltered }: { readonly type: string; readonly isFiltered: boolean }) {
  const { show } = useApp()
  if (isFiltered) return <p class="empty">No {type} are like that</p>
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
