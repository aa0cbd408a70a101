import { useState } from 'preact/hooks'
import { MODELS } from '../../../spec/generated/models.ts'
import { useApp } from '../parts/use-app.ts'

const TYPES = Object.keys(MODELS)
const PLACEHOLDER = '{object_type}'

type Generation = 'webhooks' | 'callbacks'

interface Outcome {
  readonly type: string
  readonly text: string
  readonly failed: boolean
}

/** Registers a receiver for one type or all types, and shows each test POST. */
export function RegisterForm() {
  const [url, setUrl] = useState('')
  const [type, setType] = useState('')
  const [generation, setGeneration] = useState<Generation>('webhooks')
  const { outcomes, waits, register } = useRegister(generation)
  const isForAll = type === '' && url.includes(PLACEHOLDER)
  const types = isForAll ? TYPES : [type || 'items']
  return (
    <section aria-label="Register">
      <h3>Register a receiver</h3>
      <form
        class="edit"
        onSubmit={(event) => {
          event.preventDefault()
          void register(url, types)
        }}
      >
        <label>
          URL{' '}
          <input
            required
            inputMode="url"
            class="mono wide-input"
            placeholder={`https://localhost:9443/notifications/${PLACEHOLDER}`}
            value={url}
            onInput={({ currentTarget }) => setUrl(currentTarget.value.trim())}
          />
        </label>
        <p class="dim">With {PLACEHOLDER} in the URL, one registration for each type.</p>
        <div class="actions">
          <TypeChoice value={type} all={url.includes(PLACEHOLDER)} onChoice={setType} />
          <GenerationChoice value={generation} onChoice={setGeneration} />
          <button type="submit" disabled={waits}>
            {isForAll ? `Register ${TYPES.length} types` : 'Register'}
          </button>
        </div>
        <div role="status">
          {outcomes.map((each) => (
            <p key={each.type} class={each.failed ? 'bad' : 'good'}>
              {each.text}
            </p>
          ))}
        </div>
      </form>
    </section>
  )
}

interface ChoiceProps<Value> {
  readonly value: Value
  readonly onChoice: (value: Value) => void
}

/** `all` adds a choice for every type. */
function TypeChoice({ value, all, onChoice }: ChoiceProps<string> & { readonly all: boolean }) {
  return (
    <label>
      Type{' '}
      <select value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        <option value="">{all ? 'every type' : 'items'}</option>
        {TYPES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  )
}

function GenerationChoice({ value: chosen, onChoice }: ChoiceProps<Generation>) {
  return (
    <select
      aria-label="Generation"
      value={chosen}
      onChange={({ currentTarget: { value } }) => onChoice(value === 'callbacks' ? value : 'webhooks')}
    >
      <option value="webhooks">as webhook</option>
      <option value="callbacks">as callback</option>
    </select>
  )
}

function useRegister(generation: Generation) {
  const { perform } = useApp()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [waits, setWaits] = useState(false)

  async function registerOne(url: string, type: string): Promise<Outcome> {
    const body = { generation, object_type: type, url: url.replaceAll(PLACEHOLDER, type) }
    try {
      const { test_status } = await perform('addRegistration', { body })
      return {
        type,
        text: `Registered for ${type}: the test POST was answered ${test_status}`,
        failed: false,
      }
    } catch (error) {
      return { type, text: error instanceof Error ? error.message : String(error), failed: true }
    }
  }

  /** Stops at the first rejected type, as the command does. */
  async function register(url: string, types: readonly string[]): Promise<void> {
    setWaits(true)
    const done: Outcome[] = []
    for (const type of types) {
      const outcome = await registerOne(url, type)
      done.push(outcome)
      setOutcomes([...done])
      if (outcome.failed) break
    }
    setWaits(false)
  }

  return { outcomes, waits, register }
}
