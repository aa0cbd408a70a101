import { loadCommands, SANDBOX_COMMANDS, type CommandSource } from '../../cli/command-sources.ts'
import { listTextFields } from '../../cli/fields.ts'
import { toCommandRows, type CommandRow } from '../../cli/command-table.ts'

/** Every command of the program, as its help lists them. */
export async function listCommands(): Promise<readonly CommandRow[]> {
  const launcher: { readonly OTHER_COMMANDS: readonly CommandSource[] } = await import(
    new URL('../../../bin/launch.js', import.meta.url).href
  )
  const rows = toCommandRows(await loadCommands([...SANDBOX_COMMANDS, ...launcher.OTHER_COMMANDS], undefined))
  const textFields = listTextFields()
  return rows.map((row) => (takesFields(row) ? { ...row, textFields } : row))
}

function takesFields({ arguments: words, options }: CommandRow): boolean {
  return words.some(({ name }) => name === 'fields') || options.some(({ name }) => name === '--set')
}
