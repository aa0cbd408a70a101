import { useRef, useState } from 'preact/hooks'
import type { ObjectSummary } from '../../../spec/generated/control-types.ts'
import { shortId } from '../../engine/core/short-text.ts'
import { listObjects } from '../data/pages.ts'
import { exact } from '../parts/exact-text.tsx'
import { Choice, SearchField, TextInput } from '../parts/fields.tsx'
import { ListLine } from '../parts/line.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import { useApp, useListing } from '../parts/use-app.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { TYPES } from './register-form.tsx'

const routeOf = ({ object_type, id }: ObjectSummary) => ({ screen: 'world', path: [object_type, id] })

/** The objects of a type, newest first. */
export function ObjectRows({
  type,
  chosenId,
}: {
  readonly type: string
  readonly chosenId: string | undefined
}) {
  const { perform, go } = useApp()
  const [id, setId] = useState('')
  const [state, setState] = useState('')
  const [pages, setPages] = useState(1)
  const listed = useListing(
    () => listObjects(perform, { type, id: id.trim(), state: state.trim() }, pages),
    ['object'],
    `${type} ${id} ${state} ${pages}`,
  )
  // Shows the old rows until the new rows are loaded, so that the layout does not jump.
  const before = useRef<NonNullable<typeof listed>>({ objects: [], older: 0 })
  const { objects, older } = (before.current = listed ?? before.current)
  return (
    <div class="rows">
      <div class="toolbar">
        <Choice
          aria-label="Objects of type"
          options={TYPES}
          value={type}
          onChoice={(each) => go({ screen: 'world', path: [each] })}
        />
        <SearchField label="Id begins with" value={id} onText={setId} />
        <TextInput aria-label="State" placeholder="State" value={state} onText={setState} />
      </div>
      {listed && objects.length === 0 && older === 0 ? (
        <NoObjects type={type} isFiltered={id + state !== ''} />
      ) : (
        <VirtualList
          label="Objects"
          rows={objects}
          isAt={(each) => each.id === chosenId}
          onStep={(each) => go(routeOf(each))}
        >
          {(each, key) => <ObjectLine key={key} {...each} isChosen={each.id === chosenId} />}
        </VirtualList>
      )}
      {older > 0 && (
        <button type="button" class="older" onClick={() => setPages(pages + 1)}>
          Search older objects: {older}
        </button>
      )}
    </div>
  )
}

function ObjectLine({ isChosen, ...object }: ObjectSummary & { readonly isChosen: boolean }) {
  const { id, label, state } = object
  return (
    <ListLine route={routeOf(object)} isChosen={isChosen} state={exact(state ?? '')}>
      <span class="mono" title={id}>
        {exact(shortId(id))}
      </span>{' '}
      {exact(label)}
    </ListLine>
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
