import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { errorMessage } from '../../../spec/errors.ts'
import { MODELS } from '../../../spec/generated/models.ts'
import type { RegistrationList, RegistrationRequest } from '../../../spec/generated/control-types.ts'
import { Choice, Field, Form } from '../parts/fields.tsx'
import { useApp } from '../parts/use-app.ts'

export const TYPES = Object.keys(MODELS)
const PLACEHOLDER = '{object_type}'
const GENERATIONS = [
  ['webhooks', 'as webhook'],
  ['callbacks', 'as callback'],
] as const

type Generation = RegistrationRequest['generation']

interface Outcome {
  readonly text: string
  readonly isFailed: boolean
}

export function RegisterForm({
  registrations,
  isFocused,
}: RegistrationList & { readonly isFocused: boolean }) {
  const [url, setUrl] = useState('')
  const [type, setType] = useState('')
  const [generation, setGeneration] = useState<Generation>('webhooks')
  const { outcomes, isBusy, register } = useRegister({ registrations }, generation)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => void (isFocused && input.current?.focus()), [isFocused])
  const takesAll = url.includes(PLACEHOLDER)
  const types = takesAll && type === '' ? TYPES : [type || 'items']
  return (
    <Form class="edit" onSend={() => void register(url.trim(), types)}>
      <Field
        label="URL"
        ref={input}
        required
        inputMode="url"
        class="mono wide-input"
        placeholder={`https://localhost:9443/notifications/${PLACEHOLDER}`}
        value={url}
        onText={setUrl}
      />
      <p class="dim">With {PLACEHOLDER} in the URL, one registration for each type.</p>
      <div class="actions">
        <label>
          Type{' '}
          <Choice
            options={[['', takesAll ? 'every type' : 'items'], ...TYPES]}
            value={type}
            onChoice={setType}
          />
        </label>
        <Choice aria-label="Generation" options={GENERATIONS} value={generation} onChoice={setGeneration} />
        <button type="submit" disabled={isBusy}>
          {types.length > 1 ? `Register ${types.length} types` : 'Register'}
        </button>
      </div>
      <div role="status">
        {outcomes.map(({ text, isFailed }) => (
          <p key={text} class={isFailed ? 'bad' : 'good'}>
            {text}
          </p>
        ))}
      </div>
    </Form>
  )
}

/**
 * Registers a URL for one type, or for all given types without an enabled registration. Stops at the first rejected type, like
 * the `register` command.
 */
function useRegister({ registrations }: RegistrationList, generation: Generation) {
  const { perform } = useApp()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [isBusy, setBusy] = useState(false)

  async function register(url: string, types: readonly string[]): Promise<void> {
    const enabled = registrations.filter((each) => each.enabled && each.generation === generation)
    const present = types.length === 1 ? [] : enabled.map((each) => each.object_type)
    const missing = types.filter((each) => !present.includes(each))
    const known = `${types.length - missing.length} of ${types.length} types were registered already`
    const done: Outcome[] = missing.length === types.length ? [] : [{ text: known, isFailed: false }]
    setBusy(true)
    try {
      for (const object_type of missing) {
        const body = { generation, object_type, url: url.replaceAll(PLACEHOLDER, object_type) }
        const { test_status } = await perform('addRegistration', { body })
        const text = `Registered for ${object_type}: the receiver answered the test POST with ${test_status}`
        done.push({ text, isFailed: false })
        setOutcomes([...done])
      }
    } catch (error) {
      done.push({ text: errorMessage(error), isFailed: true })
    }
    setOutcomes(done)
    setBusy(false)
  }

  return { outcomes, isBusy, register }
}
