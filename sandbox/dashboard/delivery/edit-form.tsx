import { useState } from 'preact/hooks'
import type { CraftedDelivery, JobSummary } from '../../../spec/generated/control-types.ts'
import { useApp } from '../parts/use-app.ts'
import { formatDeliver } from './copies.ts'
import { CopyButtons } from './copy-buttons.tsx'
import { Answer } from './exchange-part.tsx'
import { prettyJson } from './bodies.ts'
import { parseHeaderLines } from './header-lines.ts'

interface EditFormProps {
  readonly job: JobSummary
  /** The body of the last attempt. */
  readonly sent: string
  readonly isSigned: boolean
}

/** Delivers an edited body to the same receiver. */
export function EditForm({ job, sent, isSigned }: EditFormProps) {
  const { perform, run, target } = useApp()
  // A text field changes line breaks, so an unchanged body is sent from here.
  const [raw, setRaw] = useState(sent)
  const [headerText, setHeaderText] = useState('')
  const [signed, setSigned] = useState(isSigned)
  const [times, setTimes] = useState(1)
  const [delivery, setDelivery] = useState<CraftedDelivery | undefined>(undefined)
  const lines = parseHeaderLines(headerText)
  const problem = lines.kind === 'wrong' ? lines.message : ''
  const headers = Object.fromEntries(lines.kind === 'wrong' ? [] : lines.headers)
  const body = { registration: job.registration_id, raw, headers, signed, times }
  return (
    <section>
      <h3>Edit and deliver</h3>
      <form
        class="edit"
        onSubmit={(event) => {
          event.preventDefault()
          void run(() => perform('craftDelivery', { body })).then(setDelivery)
        }}
      >
        <TextField
          label="Bytes to deliver"
          note={prettyJson(raw) === undefined ? 'Not JSON: sent byte for byte all the same' : 'JSON'}
          rows={8}
          value={raw}
          onText={setRaw}
        />
        <TextField
          label="Headers to add or replace, one on each line"
          problem={problem}
          rows={2}
          value={headerText}
          onText={setHeaderText}
        />
        <div class="actions">
          <SignedField value={signed} onValue={setSigned} />
          <TimesField value={times} onValue={setTimes} />
          <button type="submit" disabled={problem !== ''}>
            Deliver
          </button>
          <CopyButtons texts={[['hookbench', () => formatDeliver(body, target.value)]]} />
        </div>
      </form>
      {delivery && <Exchanges delivery={delivery} />}
    </section>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly rows: number
  readonly value: string
  readonly note?: string
  readonly problem?: string
  readonly onText: (text: string) => void
}

function TextField({ label, rows, value, note = '', problem = '', onText }: TextFieldProps) {
  const id = label.replaceAll(' ', '-')
  return (
    <>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="mono"
        rows={rows}
        spellcheck={false}
        value={value}
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-note`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <p id={`${id}-note`} class={problem === '' ? 'dim' : 'bad'} role="status">
        {problem === '' ? note : problem}
      </p>
    </>
  )
}

interface FieldProps<Value> {
  readonly value: Value
  readonly onValue: (value: Value) => void
}

function SignedField({ value, onValue }: FieldProps<boolean>) {
  return (
    <label>
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => onValue(currentTarget.checked)}
      />{' '}
      signed
    </label>
  )
}

function TimesField({ value, onValue }: FieldProps<number>) {
  return (
    <label>
      <input
        type="number"
        min={1}
        max={1_000}
        value={value}
        required
        onInput={({ currentTarget }) => onValue(currentTarget.valueAsNumber)}
      />{' '}
      times
    </label>
  )
}

function Exchanges({ delivery: { exchanges } }: { readonly delivery: CraftedDelivery }) {
  return (
    <div role="status">
      {exchanges.map((exchange, index) => (
        <div key={index} class="beside">
          <p>
            Delivery {index + 1} ← <b>{exchange.status ?? exchange.reason}</b>
          </p>
          <Answer {...exchange} to={`delivery ${index + 1}`} />
        </div>
      ))}
    </div>
  )
}
