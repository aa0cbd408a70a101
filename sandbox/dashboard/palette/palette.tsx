import { useLayoutEffect, useState, useRef } from 'preact/hooks'
import { Dialog } from '../parts/pane.tsx'
import { useApp, useCommands } from '../parts/use-app.ts'
import type { Selection } from '../state/app.ts'
import type { PageCommand } from '../state/page-ports.ts'
import {
  readQuery,
  searchRows,
  formatCommandRow,
  missingArguments,
  optionsOf,
  type CommandValues,
} from './command-text.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Choice, Form, TextInput } from '../parts/fields.tsx'
import { performCommand, planRoute, unheededOptions, withValue } from './run-command.ts'

interface Chosen {
  readonly row: PageCommand
  readonly values: CommandValues
}

export function Palette({ query }: { readonly query: string }) {
  const rows = useCommands()
  const [chosen, setChosen] = useState<Chosen>()
  useLayoutEffect(() => {
    if (rows && query !== '') setChosen(readQuery(query, rows))
  }, [rows])
  return (
    <Dialog label="Commands" class="palette">
      {chosen ? (
        <CommandForm key={chosen.row.name} {...chosen} onBack={() => setChosen(undefined)} />
      ) : (
        <CommandSearch rows={rows ?? []} onChoose={setChosen} />
      )}
    </Dialog>
  )
}

interface CommandSearchProps {
  readonly rows: readonly PageCommand[]
  readonly onChoose: (chosen: Chosen) => void
}

function CommandSearch({ rows: commands, onChoose }: CommandSearchProps) {
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState(0)
  const [isEntered, setEntered] = useState(false)
  const read = readQuery(query, commands)
  const given = givenValues(useApp().selection.value)
  const found = searchRows(query, query.trim() === '' ? byUse(commands, given) : commands)
  const rows = read ? [read.row, ...found.filter((row) => row !== read.row)] : found
  const index = Math.min(place, rows.length - 1)
  const choose = (row: PageCommand) =>
    onChoose(read?.row === row ? read : { row, values: given[row.name] ?? {} })
  // Chooses the row now if the user pressed Enter before the commands were loaded.
  useLayoutEffect(() => {
    if (isEntered && rows[index]) choose(rows[index])
  })
  const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={rows[index] && `palette-${index}`}
        placeholder="Type a command, such as advance 25m"
        spellcheck={false}
        autofocus
        value={query}
        onInput={({ currentTarget }) => {
          setPlace(0)
          setEntered(false)
          setQuery(currentTarget.value)
        }}
        onKeyDown={(event) => {
          const by = moves[event.key]
          if (by !== undefined) setPlace(Math.max(0, Math.min(rows.length - 1, index + by)))
          else if (event.key === 'Enter') setEntered(true)
          else return
          event.preventDefault()
        }}
      />
      <CommandList rows={rows} index={index} onChoose={choose} />
    </>
  )
}

type GivenValues = Readonly<Record<string, CommandValues>>

function givenValues({ jobId, paymentId }: Selection): GivenValues {
  return {
    ...(jobId !== undefined && { resend: { job: jobId }, job: { id: jobId } }),
    ...(paymentId !== undefined && { next: { id: paymentId }, payment: { id: paymentId } }),
  }
}

function byUse(commands: readonly PageCommand[], given: GivenValues): readonly PageCommand[] {
  const rankOf = (row: PageCommand) => (given[row.name] ? 0 : isRunHere(row) ? 1 : 2)
  return commands.toSorted((a, b) => rankOf(a) - rankOf(b))
}

const isRunHere = ({ calls, route }: PageCommand) => (calls ?? route) !== undefined

interface CommandListProps {
  readonly rows: readonly PageCommand[]
  readonly index: number
  readonly onChoose: (row: PageCommand) => void
}

function CommandList({ rows, index, onChoose }: CommandListProps) {
  return (
    <>
      {rows.length === 0 && <p class="dim">No command matches this text.</p>}
      <ul id="palette-list" role="listbox" aria-label="Commands">
        {rows.map((row, at) => (
          <li
            key={row.name}
            id={`palette-${at}`}
            role="option"
            aria-selected={at === index}
            ref={at === index ? (element) => element?.scrollIntoView({ block: 'nearest' }) : null}
            onClick={() => onChoose(row)}
          >
            <span class="mono">{row.name}</span> <span class="dim">{row.about}</span>
            {!isRunHere(row) && <span class="badge due">terminal</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

function CommandForm({ row, values: given, onBack }: Chosen & { readonly onBack: () => void }) {
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

function Outcome({ row, values }: Chosen) {
  const { ports, target } = useApp()
  const line = formatCommandRow(row, values, target.value)
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
  /** The name of the option's value. Null for an option without a value. */
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
