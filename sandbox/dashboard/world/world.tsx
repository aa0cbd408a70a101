import type { Route } from '../state/route.ts'
import { Pane } from '../parts/pane.tsx'
import { useApp, useListing } from '../parts/use-app.ts'
import { ObjectPane } from './object-pane.tsx'
import { ObjectRows, TYPES } from './object-rows.tsx'
import type { RegistrationRecord } from '../../../spec/generated/control-types.ts'
import { ExactText } from '../delivery/exact-text.tsx'
import { Findings } from '../parts/findings.tsx'
import { PresentOnly } from '../parts/presence.tsx'
import { RegisterForm } from './register-form.tsx'

/** The objects with their states, and the registrations. */
export function World({ path: [type = TYPES[0] ?? '', id] }: Route) {
  const { go } = useApp()
  return (
    <section class={`split with-pane world${id === undefined ? ' home' : ''}`}>
      <h1 class="hidden">World</h1>
      <ObjectRows key={type} type={type} chosenId={id} />
      {id === undefined ? (
        <Pane label="Registrations">
          <Registrations />
        </Pane>
      ) : (
        <Pane label="Object" onClose={() => go({ screen: 'world', path: [type] })}>
          <ObjectPane key={`${type}/${id}`} type={type} id={id} />
        </Pane>
      )}
    </section>
  )
}

/** The registrations of both generations. */
function Registrations() {
  const { perform } = useApp()
  const list = useListing(
    () => perform('listRegistrations'),
    ['registration', 'registration_removed', 'world'],
  )
  if (!list) return <p class="dim">Loading the registrations</p>
  const { registrations } = list
  return (
    <article class="details">
      <h2>Registrations</h2>
      <Findings />
      {registrations.length > 0 && (
        <table class="changes">
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col">Receiver</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {registrations.map((each) => (
              <Row key={each.id} {...each} />
            ))}
          </tbody>
        </table>
      )}
      <PresentOnly>
        <RegisterForm />
      </PresentOnly>
    </article>
  )
}

function Row({ id, generation, object_type: type, url, enabled }: RegistrationRecord) {
  const { perform, run } = useApp()
  const act = enabled ? 'Disable' : 'Enable'
  return (
    <tr>
      <th scope="row">
        {type} <span class="dim">{generation === 'callbacks' ? 'callback' : 'webhook'}</span>
      </th>
      <td class="mono">
        <ExactText text={url} />
      </td>
      <td>
        <span class={enabled ? 'good' : 'dim'}>{enabled ? 'enabled' : 'disabled'}</span>{' '}
        <PresentOnly>
          <button
            type="button"
            aria-label={`${act} ${generation} of ${type} at ${url}`}
            onClick={() =>
              void run(
                () => perform('changeRegistration', { path: { id }, body: { enabled: !enabled } }),
                () => `${act}d ${type}`,
              )
            }
          >
            {act}
          </button>
        </PresentOnly>
      </td>
    </tr>
  )
}
