import { loadCommands, SANDBOX_COMMANDS, type CommandSource } from '../../cli/command-sources.ts'
import { toCommandRows, type CommandRow } from '../../cli/command-table.ts'

/** Every command of the program, as its help lists them. */
export async function listCommands(): Promise<readonly CommandRow[]> {
  const launcher: { readonly OTHER_COMMANDS: readonly CommandSource[] } = await import(
    new URL('../../../bin/launch.js', import.meta.url).href
  )
  return toCommandRows(await loadCommands([...SANDBOX_COMMANDS, ...launcher.OTHER_COMMANDS], undefined))
}
