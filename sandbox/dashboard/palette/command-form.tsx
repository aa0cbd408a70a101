import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ActButton } from '../parts/act-button.tsx'
import { Choice, Form, TextInput } from '../parts/fields.tsx'
import { useApp } from '../parts/use-app.ts'
import type { PageCommand } from '../state/page-ports.ts'
import { formatCommand, missingArguments, optionsOf, type CommandValues } from './command-text.ts'
import { performCommand, planRoute, unheededOptions, withValue } from './run-command.ts'

interface CommandFormProps {
  readonly row: PageCommand
  readonly values: CommandValues
  readonly onBack: () => void
}

/** A form for a command, with its command line. The result of a list command is shown below the command line. */
export function CommandForm({ row, values: given, onBack }: CommandFormProps) {
  const { go, show, perform, run } = useApp()
  const [values, setValues] = useState(given)
  const [reply, setReply] = useState<unknown>()
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select, button.main')?.focus(), [])
  const fields = [
    ...row.arguments.map((each) => ({ ...each, value: each.name })),
    ...optionsOf(row).map((each) => ({ ...each, required: false })),
  ]
  function send(): void {
    const route = planRoute(row, values)
    if (!route) {
      const act = async () => setReply(await performCommand(row, values, perform))
      return void run(act, () => `Done: ${row.name}`)
    }
    show(undefined)
    go(route)
  }
  return (
    <Form ref={form} class="command" onSend={send}>
      <h2>
        <button type="button" aria-label="Back to all commands" onClick={onBack}>
          ←
        </button>{' '}
        {row.name}
      </h2>
      <p class="dim">{row.about}</p>
      {fields.map((field) => (
        <Field
          key={field.name}
          {...field}
          given={values[field.name]}
          onValue={(value) => setValues((before) => withValue(before, field.name, value))}
        />
      ))}
      <Outcome row={row} values={values} />
      {reply !== undefined && (
        <pre tabIndex={0} aria-label="Reply">
          {JSON.stringify(reply, null, 2)}
        </pre>
      )}
    </Form>
  )
}

/** The command line, and the buttons that run and copy it. */
function Outcome({ row, values }: Pick<CommandFormProps, 'row' | 'values'>) {
  const { ports, target } = useApp()
  const line = formatCommand(row, values, target.value)
  const missing = missingArguments(row, values)
  const unheeded = unheededOptions(row, values)
  const runs = (row.calls ?? row.route) !== undefined && unheeded.length === 0
  return (
    <div class="outcome">
      <output class="mono" aria-label="In a terminal">
        {line}
      </output>
      <p>
        {runs && (
          <button type="submit" class="main" disabled={missing.length > 0}>
            Run
          </button>
        )}{' '}
        <ActButton class={runs ? '' : 'main'} act={() => ports.copy(line)} done={() => 'Copied'}>
          Copy
        </ActButton>
        {missing.length > 0 && <span class="dim"> needs {missing.join(' and ')}</span>}
        {!runs && <span class="dim"> {unheeded.join(' and ')} runs only in a terminal</span>}
      </p>
    </div>
  )
}

interface FieldProps {
  readonly name: string
  readonly about: string
  /** The value's name. Null for an option that takes no value. */
  readonly value: string | null
  readonly choices: readonly string[]
  readonly required: boolean
  readonly given: string | true | undefined
  readonly onValue: (value: string | boolean) => void
}

function Field({ name, about, value, choices, required, given = '', onValue }: FieldProps) {
  const id = `field-${name}`
  const text = given === true ? '' : given
  return (
    <div class="field">
      <label for={id}>
        {name}
        {required && <span class="dim"> needed</span>}
      </label>
      {value === null ? (
        <input
          id={id}
          type="checkbox"
          checked={given === true}
          onChange={({ currentTarget }) => onValue(currentTarget.checked)}
        />
      ) : choices.length > 0 ? (
        <Choice id={id} options={['', ...choices]} value={text} onChoice={onValue} />
      ) : (
        <TextInput id={id} type="text" value={text} onText={onValue} />
      )}
      <span class="about dim">{about}</span>
    </div>
  )
}
