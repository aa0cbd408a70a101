import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { MODELS } from '../../../spec/generated/models.ts'
import { useApp } from '../parts/use-app.ts'

export const TYPES = Object.keys(MODELS)
const PLACEHOLDER = '{object_type}'
const GENERATIONS = [
  ['webhooks', 'as webhook'],
  ['callbacks', 'as callback'],
] as const

interface Outcome {
  readonly type: string
  readonly text: string
  readonly failed: boolean
}

/** Registers a receiver for one type or all types, and shows each test POST. */
export function RegisterForm({ isFocused }: { readonly isFocused: boolean }) {
  const [url, setUrl] = useState('')
  const [type, setType] = useState('')
  const [generation, setGeneration] = useState<'webhooks' | 'callbacks'>('webhooks')
  const { outcomes, waits, register } = useRegister(generation)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => void (isFocused && input.current?.focus()), [isFocused])
  const takesAll = url.includes(PLACEHOLDER)
  const types = takesAll && type === '' ? TYPES : [type || 'items']
  const typeOptions = [['', takesAll ? 'every type' : 'items'], ...TYPES.map((each) => [each, each])]
  return (
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
          ref={input}
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
        <label>
          Type <Choice options={typeOptions} value={type} onChoice={setType} />
        </label>
        <Choice
          label="Generation"
          options={GENERATIONS}
          value={generation}
          onChoice={(each) => setGeneration(each === 'callbacks' ? each : 'webhooks')}
        />
        <button type="submit" disabled={waits}>
          {types.length > 1 ? `Register ${types.length} types` : 'Register'}
        </button>
      </div>
      <Outcomes outcomes={outcomes} />
    </form>
  )
}

function Outcomes({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  return (
    <div role="status">
      {outcomes.map(({ type, text, failed }) => (
        <p key={type} class={failed ? 'bad' : 'good'}>
          {text}
        </p>
      ))}
    </div>
  )
}

interface ChoiceProps {
  readonly label?: string
  /** Values and their texts. */
  readonly options: readonly (readonly string[])[]
  readonly value: string
  readonly onChoice: (value: string) => void
}

export function Choice({ label, options, value, onChoice }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  )
}

function useRegister(generation: 'webhooks' | 'callbacks') {
  const { perform, run } = useApp()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [waits, setWaits] = useState(false)

  /** Of several types, registers the missing ones. Stops at the first rejected type, as the command does. */
  async function register(url: string, types: readonly string[]): Promise<void> {
    setWaits(true)
    const present = types.length > 1 ? await listPresent() : new Set<string>()
    const missing = types.filter((type) => !present.has(type))
    const text = `${types.length - missing.length} of ${types.length} types were registered already`
    const done: Outcome[] = missing.length < types.length ? [{ type: '', text, failed: false }] : []
    setOutcomes([...done])
    for (const type of missing) {
      const body = { generation, object_type: type, url: url.replaceAll(PLACEHOLDER, type) }
      const outcome = await perform('addRegistration', { body }).then(
        ({ test_status }) => {
          const answer = `Registered for ${type}: the test POST was answered ${test_status}`
          return { type, text: answer, failed: false }
        },
        (error: unknown) => {
          return { type, text: error instanceof Error ? error.message : String(error), failed: true }
        },
      )
      done.push(outcome)
      setOutcomes([...done])
      if (outcome.failed) break
    }
    setWaits(false)
  }

  /** Lists the types with an enabled registration. A failure shows in the registrations that follow. */
  async function listPresent(): Promise<ReadonlySet<string>> {
    const list = await run(() => perform('listRegistrations'))
    const enabled = list?.registrations.filter((each) => each.enabled && each.generation === generation)
    return new Set(enabled?.map((each) => each.object_type))
  }

  return { outcomes, waits, register }
}
