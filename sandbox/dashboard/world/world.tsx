import type { RegistrationRecord } from '../../../spec/generated/control-types.ts'
import { exact } from '../parts/exact-text.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Findings } from '../parts/findings.tsx'
import { Pane } from '../parts/pane.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import type { Route } from '../state/route.ts'
import { Table } from '../parts/table.tsx'
import { useApp, useRegistrations } from '../parts/use-app.ts'
import { ObjectPane } from './object-pane.tsx'
import { ObjectRows } from './object-rows.tsx'
import { RegisterForm, TYPES } from './register-form.tsx'

/** The word in the address that focuses the registration form. */
const REGISTER = 'register'

/** The objects with their states, and the registrations. */
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

/** Shows the registrations of both generations. */
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
