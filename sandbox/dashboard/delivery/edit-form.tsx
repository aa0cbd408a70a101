import { useState } from 'preact/hooks'
import type { CraftedDelivery, JobSummary } from '../../../spec/generated/control-types.ts'
import { CopyButtons } from '../parts/act-button.tsx'
import { CheckBox, Form, TextInput } from '../parts/fields.tsx'
import { useApp } from '../parts/use-app.ts'
import { prettyJson } from '../parts/bodies.ts'
import { formatCurl, formatDeliver, parseHeaders } from './copies.ts'
import { CraftedExchanges } from './exchange-part.tsx'

interface EditFormProps {
  readonly job: JobSummary
  readonly sent: string
  readonly isSigned: boolean
}

export function EditForm({ job, sent, isSigned }: EditFormProps) {
  const { perform, run, target } = useApp()
  const [typed, setTyped] = useState<string>()
  const [headerText, setHeaderText] = useState('')
  const [signed, setSigned] = useState(isSigned)
  const [times, setTimes] = useState('1')
  const [delivery, setDelivery] = useState<CraftedDelivery>()
  const { headers, problem } = parseHeaders(headerText)
  // Uses the original body if the user has not edited it, because a text field normalizes line breaks.
  const raw = typed ?? sent
  const body = { registration: job.registration_id, raw, headers, signed, times: Number(times) }
  const command = ['hookbench', () => formatDeliver(body, target.value)] as const
  const message = { url: job.url, headers: withType(headers), body: raw }
  // Offers curl only for unsigned deliveries, because curl cannot sign a body.
  const curl = ['curl', () => formatCurl(message, target.value.data)] as const
  return (
    <section>
      <h3>Edit and deliver</h3>
      <Form class="edit" onSend={() => void run(() => perform('craftDelivery', { body })).then(setDelivery)}>
        <TextArea
          label="Bytes to deliver"
          note={noteOn(typed)}
          rows={8}
          value={typed ?? prettyJson(sent) ?? sent}
          onText={setTyped}
        />
        <TextArea
          label="Headers to add or replace, one on each line"
          note={problem}
          isWrong={problem !== ''}
          rows={2}
          value={headerText}
          onText={setHeaderText}
        />
        <div class="actions">
          <CheckBox label="signed" checked={signed} onCheck={setSigned} />
          <label>
            <TextInput type="number" min={1} max={1_000} value={times} required onText={setTimes} /> times
          </label>
          <button type="submit" disabled={problem !== ''}>
            Deliver
          </button>
          <CopyButtons texts={signed || times !== '1' ? [command] : [command, curl]} />
        </div>
      </Form>
      <div role="status">{delivery && <CraftedExchanges {...delivery} />}</div>
    </section>
  )
}

function withType(headers: Readonly<Record<string, string>>) {
  const hasType = Object.keys(headers).some((name) => /^content-type$/i.test(name))
  return Object.entries({ ...(!hasType && { 'content-type': 'application/json' }), ...headers })
}

function noteOn(typed: string | undefined): string {
  if (typed === undefined) return 'Unchanged, so the sandbox sends the original bytes'
  return prettyJson(typed) === undefined ? 'Not JSON, but sent byte for byte' : 'JSON'
}

interface TextAreaProps {
  readonly label: string
  readonly rows: number
  readonly value: string
  readonly note: string
  readonly isWrong?: boolean
  readonly onText: (text: string) => void
}

function TextArea({ label, rows, value, note, isWrong = false, onText }: TextAreaProps) {
  const noteId = `${label.replaceAll(' ', '-')}-note`
  return (
    <>
      <label>
        {label}
        <textarea
          class="mono"
          rows={rows}
          spellcheck={false}
          value={value}
          aria-invalid={isWrong}
          aria-describedby={noteId}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </label>
      <p id={noteId} class={isWrong ? 'bad' : 'dim'} role="status">
        {note}
      </p>
    </>
  )
}
