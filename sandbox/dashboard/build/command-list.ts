import { loadCommands, SANDBOX_COMMANDS, type CommandSource } from '../../cli/command-sources.ts'
import { listTextFields } from '../../cli/fields.ts'
import { toCommandRows, type CommandRow } from '../../cli/command-table.ts'
import type { PageCommand } from '../state/page-ports.ts'
import { COMMAND_CALLS } from './command-calls.ts'

/** Lists every command of the program with its calls in the page. */
export async function listCommands(): Promise<readonly PageCommand[]> {
  const launcher: { readonly OTHER_COMMANDS: readonly CommandSource[] } = await import(
    new URL('../../../bin/launch.js', import.meta.url).href
  )
  const rows = toCommandRows(await loadCommands([...SANDBOX_COMMANDS, ...launcher.OTHER_COMMANDS], undefined))
  const textFields = listTextFields()
  return rows.map((row) => ({ ...row, ...(takesFields(row) && { textFields }), ...COMMAND_CALLS[row.name] }))
}

function takesFields({ arguments: words, options }: CommandRow): boolean {
  return words.some(({ name }) => name === 'fields') || options.some(({ name }) => name === '--set')
}
