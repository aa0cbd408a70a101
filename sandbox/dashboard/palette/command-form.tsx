import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ActButton } from '../parts/act-button.tsx'
import { useApp } from '../parts/use-app.ts'
import type { PageCommand } from '../state/page-ports.ts'
import { formatCommand, missingArguments, optionsOf, type CommandValues } from './command-text.ts'
import { performCommand, planRoute, unheededOptions } from './run-command.ts'

interface CommandFormProps {
  readonly row: PageCommand
  readonly values: CommandValues
  readonly onBack: () => void
}

/** A form for a command, with its command line. */
export function CommandForm({ row, values: given, onBack }: CommandFormProps) {
  const [values, setValues] = useState(given)
  const { run, reply } = useRun(row, values)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select, button.main')?.focus(), [])
  const set = (name: string, value: string | boolean) =>
    setValues(({ [name]: _, ...rest }) =>
      value === '' || value === false ? rest : { ...rest, [name]: value },
    )
  const fields: readonly FieldProps[] = [
    ...row.arguments.map((each) => ({ ...each, value: each.name, isRequired: each.required })),
    ...optionsOf(row).map((each) => ({ ...each, isRequired: false })),
  ].map((field) => ({ ...field, text: values[field.name], onSet: set }))
  return (
    <form
      ref={form}
      class="command"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <h2>
        <button type="button" aria-label="Back to all commands" onClick={onBack}>
          ←
        </button>{' '}
        {row.name}
      </h2>
      <p class="dim">{row.about}</p>
      {fields.map((field) => (
        <Field key={field.name} {...field} />
      ))}
      <CommandLine row={row} values={values} />
      {reply !== undefined && (
        <pre tabIndex={0} aria-label="Reply">
          {JSON.stringify(reply, null, 2)}
        </pre>
      )}
    </form>
  )
}

function CommandLine({ row, values }: { readonly row: PageCommand; readonly values: CommandValues }) {
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
        {!runs && <span class="dim"> {unheeded.join(' and ')} runs in a terminal only</span>}
      </p>
    </div>
  )
}

/** Runs the command. The result of a list is shown under it. */
function useRun(row: PageCommand, values: CommandValues) {
  const { go, show, perform, run } = useApp()
  const [reply, setReply] = useState<unknown>(undefined)
  return {
    reply,
    run() {
      const route = planRoute(row, values)
      if (route) {
        show(undefined)
        go(route)
      } else {
        void run(
          async () => setReply(await performCommand(row, values, perform)),
          () => `Done: ${row.name}`,
        )
      }
    },
  }
}

interface FieldProps {
  readonly name: string
  readonly about: string
  /** The value's name. Null for a switch. */
  readonly value: string | null
  readonly choices: readonly string[]
  readonly isRequired: boolean
  readonly text: string | true | undefined
  readonly onSet: (name: string, value: string | boolean) => void
}

function Field({ name, about, value, choices, isRequired, text, onSet }: FieldProps) {
  const id = `field-${name}`
  return (
    <div class="field">
      <label for={id}>
        {name}
        {isRequired && <span class="dim"> needed</span>}
      </label>
      {value === null ? (
        <input
          id={id}
          type="checkbox"
          checked={text === true}
          onChange={({ currentTarget }) => onSet(name, currentTarget.checked)}
        />
      ) : choices.length > 0 ? (
        <select
          id={id}
          value={typeof text === 'string' ? text : ''}
          onChange={({ currentTarget }) => onSet(name, currentTarget.value)}
        >
          <option value="" />
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="text"
          spellcheck={false}
          autocomplete="off"
          value={typeof text === 'string' ? text : ''}
          onInput={({ currentTarget }) => onSet(name, currentTarget.value)}
        />
      )}
      <span class="about dim">{about}</span>
    </div>
  )
}
