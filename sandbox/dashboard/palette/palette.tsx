import { useLayoutEffect, useState } from 'preact/hooks'
import { Dialog } from '../parts/pane.tsx'
import { useApp, useCommands } from '../parts/use-app.ts'
import type { Selection } from '../state/app.ts'
import type { PageCommand } from '../state/page-ports.ts'
import { CommandForm } from './command-form.tsx'
import { readQuery, searchRows, type CommandValues } from './command-text.ts'

interface Chosen {
  readonly row: PageCommand
  readonly values: CommandValues
}

/** A palette to find, fill in, run and copy every command of the CLI. */
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
  // If the query contains the full name of a command, this command comes first.
  const rows = read ? [read.row, ...found.filter((row) => row !== read.row)] : found
  const index = Math.min(place, rows.length - 1)
  const choose = (row: PageCommand) =>
    onChoose(read?.row === row ? read : { row, values: given[row.name] ?? {} })
  // If the user pressed Enter before the commands were loaded, the row is chosen now.
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

/** Sorts commands: commands for the selection, then other commands of the page, then commands for the terminal only. */
function byUse(commands: readonly PageCommand[], given: GivenValues): readonly PageCommand[] {
  const rankOf = (row: PageCommand) => (given[row.name] ? 0 : isRunHere(row) ? 1 : 2)
  return commands.toSorted((a, b) => rankOf(a) - rankOf(b))
}

const isRunHere = ({ calls, route }: PageCommand) => (calls ?? route) !== undefined

interface CommandListProps {
  readonly rows: readonly PageCommand[]
  /** The index of the row that Enter selects. */
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
