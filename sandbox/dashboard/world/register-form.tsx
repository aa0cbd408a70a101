import { useState } from 'preact/hooks'
import type { RegistrationRequest } from '../../../spec/generated/control-types.ts'
import { useApp } from '../parts/use-app.ts'
import { TYPES } from './object-rows.tsx'

interface Outcome {
  readonly text: string
  readonly failed: boolean
}

/** Registers a receiver, and says what became of the test POST. */
export function RegisterForm() {
  const [wanted, setWanted] = useState<RegistrationRequest>({
    generation: 'webhooks',
    object_type: 'items',
    url: '',
  })
  const { outcome, waits, register } = useRegister()
  return (
    <section aria-label="Register">
      <h3>Register a receiver</h3>
      <form
        class="edit"
        onSubmit={(event) => {
          event.preventDefault()
          void register(wanted)
        }}
      >
        <label>
          URL{' '}
          <input
            type="url"
            required
            class="mono"
            placeholder="https://localhost:8443/webhooks/items"
            value={wanted.url}
            onInput={({ currentTarget }) => setWanted({ ...wanted, url: currentTarget.value })}
          />
        </label>
        <div class="actions">
          <Subject wanted={wanted} onWanted={setWanted} />
          <button type="submit" disabled={waits}>
            Register
          </button>
        </div>
        <p role="status" class={outcome?.failed === true ? 'bad' : 'good'}>
          {outcome?.text}
        </p>
      </form>
    </section>
  )
}

function useRegister() {
  const { perform } = useApp()
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const [waits, setWaits] = useState(false)

  async function register(body: RegistrationRequest): Promise<void> {
    setWaits(true)
    try {
      const { registration, test_status } = await perform('addRegistration', { body })
      const text = `Registered for ${registration.object_type}: the test POST was answered ${test_status}`
      setOutcome({ text, failed: false })
    } catch (error) {
      setOutcome({ text: error instanceof Error ? error.message : String(error), failed: true })
    }
    setWaits(false)
  }

  return { outcome, waits, register }
}

interface SubjectProps {
  readonly wanted: RegistrationRequest
  readonly onWanted: (wanted: RegistrationRequest) => void
}

/** What the receiver is to be notified of, and by which generation. */
function Subject({ wanted, onWanted }: SubjectProps) {
  return (
    <>
      <label>
        Type{' '}
        <input
          list="types"
          required
          size={18}
          value={wanted.object_type}
          onInput={({ currentTarget }) => onWanted({ ...wanted, object_type: currentTarget.value })}
        />
      </label>
      <datalist id="types">
        {TYPES.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <select
        aria-label="Generation"
        value={wanted.generation}
        onChange={({ currentTarget: { value } }) =>
          onWanted({ ...wanted, generation: value === 'callbacks' ? value : 'webhooks' })
        }
      >
        <option value="webhooks">as webhook</option>
        <option value="callbacks">as callback</option>
      </select>
    </>
  )
}
