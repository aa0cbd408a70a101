import { useRef, useState } from 'preact/hooks'
import type { RegistrationRecord, ObjectSummary } from '../../../spec/generated/control-types.ts'
import { exact } from '../parts/exact-text.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Findings } from '../parts/findings.tsx'
import { Pane } from '../parts/pane.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import type { Route } from '../state/route.ts'
import { Table } from '../parts/table.tsx'
import { useApp, useRegistrations, useListing } from '../parts/use-app.ts'
import { ObjectPane } from './object-pane.tsx'
import { RegisterForm, TYPES } from './register-form.tsx'
import { shortId } from '../../engine/core/short-text.ts'
import { listObjects } from '../data/pages.ts'
import { Choice, SearchField, TextInput } from '../parts/fields.tsx'
import { ListLine } from '../parts/line.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'

const REGISTER = 'register'

export function WorldScreen({ path: [word, id] }: Route) {
  const { go } = useApp()
  const type = word === undefined || word === REGISTER ? (TYPES[0] ?? '') : word
  return (
    <section class={`split with-pane world${id === undefined ? ' home' : ''}`}>
      <h1 class="hidden">World</h1>
      <ObjectRows key={type} type={type} chosenId={id} />
      {id === undefined ? (
        <Pane label="Registrations">
          <Registrations isRegistering={word === REGISTER} />
        </Pane>
      ) : (
        <Pane label="Object" onClose={() => go({ screen: 'world', path: [type] })}>
          <ObjectPane key={`${type}/${id}`} type={type} id={id} />
        </Pane>
      )}
    </section>
  )
}

function Registrations({ isRegistering }: { readonly isRegistering: boolean }) {
  const registrations = useRegistrations()
  if (!registrations) return <p class="loading">Loading the registrations</p>
  return (
    <article class="details">
      <h2>Registrations</h2>
      <Findings />
      {registrations.length > 0 && (
        <Table class="changes" heads={['Type', 'Receiver', 'State']}>
          {registrations.map((each) => (
            <Row key={each.id} {...each} />
          ))}
        </Table>
      )}
      <PresentOnly>
        <section aria-label="Register">
          <h3>Register a receiver</h3>
          <RegisterForm registrations={registrations} isFocused={isRegistering} />
        </section>
      </PresentOnly>
    </article>
  )
}

function Row({ id, generation, object_type: type, url, enabled }: RegistrationRecord) {
  const { perform } = useApp()
  const act = enabled ? 'Disable' : 'Enable'
  return (
    <tr>
      <th scope="row">
        {type} <span class="dim">{generation === 'callbacks' ? 'callback' : 'webhook'}</span>
      </th>
      <td class="mono">{exact(url)}</td>
      <td>
        <span class={enabled ? 'good' : 'dim'}>{enabled ? 'enabled' : 'disabled'}</span>{' '}
        <PresentOnly>
          <ActButton
            aria-label={`${act} ${generation} of ${type} at ${url}`}
            act={() => perform('changeRegistration', { path: { id }, body: { enabled: !enabled } })}
            done={() => `${act}d ${type}`}
          >
            {act}
          </ActButton>
        </PresentOnly>
      </td>
    </tr>
  )
}

const routeOf = ({ object_type, id }: ObjectSummary) => ({ screen: 'world', path: [object_type, id] })

function ObjectRows({ type, chosenId }: { readonly type: string; readonly chosenId: string | undefined }) {
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
  if (isFiltered) return <p class="empty">No {type} match the filter</p>
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
