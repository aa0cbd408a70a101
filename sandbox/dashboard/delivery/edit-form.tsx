import { useState } from 'preact/hooks'
import type { CraftedDelivery, JobSummary } from '../../../spec/generated/control-types.ts'
import { CopyButtons } from '../parts/act-button.tsx'
import { useApp } from '../parts/use-app.ts'
import { prettyJson } from './bodies.ts'
import { formatDeliver, parseHeaders } from './copies.ts'
import { CraftedExchanges } from './exchange-part.tsx'

interface EditFormProps {
  readonly job: JobSummary
  /** The body of the last attempt. */
  readonly sent: string
  readonly isSigned: boolean
}

/** Delivers an edited body to the same receiver. */
export function EditForm({ job, sent, isSigned }: EditFormProps) {
  const { perform, run, target } = useApp()
  const [typed, setTyped] = useState<string | undefined>(undefined)
  // A text field changes line breaks, so an unchanged body is sent from here.
  const raw = typed ?? sent
  const [headerText, setHeaderText] = useState('')
  const [signed, setSigned] = useState(isSigned)
  const [times, setTimes] = useState(1)
  const [delivery, setDelivery] = useState<CraftedDelivery | undefined>(undefined)
  const { headers, problem } = parseHeaders(headerText)
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
          note={noteOn(typed)}
          rows={8}
          value={typed ?? prettyJson(sent) ?? sent}
          onText={setTyped}
        />
        <TextField
          label="Headers to add or replace, one on each line"
          note={problem}
          isWrong={problem !== ''}
          rows={2}
          value={headerText}
          onText={setHeaderText}
        />
        <div class="actions">
          <SendOptions signed={signed} onSigned={setSigned} times={times} onTimes={setTimes} />
          <button type="submit" disabled={problem !== ''}>
            Deliver
          </button>
          <CopyButtons texts={[['hookbench', () => formatDeliver(body, target.value)]]} />
        </div>
      </form>
      <div role="status">{delivery && <CraftedExchanges {...delivery} />}</div>
    </section>
  )
}

function noteOn(typed: string | undefined): string {
  if (typed === undefined) return 'Unchanged: sent with the original bytes'
  return prettyJson(typed) === undefined ? 'Not JSON: sent byte for byte all the same' : 'JSON'
}

interface TextFieldProps {
  readonly label: string
  readonly rows: number
  readonly value: string
  readonly note: string
  readonly isWrong?: boolean
  readonly onText: (text: string) => void
}

function TextField({ label, rows, value, note, isWrong = false, onText }: TextFieldProps) {
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
        aria-invalid={isWrong}
        aria-describedby={`${id}-note`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <p id={`${id}-note`} class={isWrong ? 'bad' : 'dim'} role="status">
        {note}
      </p>
    </>
  )
}

interface SendOptionsProps {
  readonly signed: boolean
  readonly onSigned: (signed: boolean) => void
  readonly times: number
  readonly onTimes: (times: number) => void
}

function SendOptions({ signed, onSigned, times, onTimes }: SendOptionsProps) {
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={signed}
          onChange={({ currentTarget }) => onSigned(currentTarget.checked)}
        />{' '}
        signed
      </label>
      <label>
        <input
          type="number"
          min={1}
          max={1_000}
          value={times}
          required
          onInput={({ currentTarget }) => onTimes(currentTarget.valueAsNumber)}
        />{' '}
        times
      </label>
    </>
  )
}
