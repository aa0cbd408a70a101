import type { Command } from 'commander'
import { loadCommands, SANDBOX_COMMANDS, type CommandSource } from '../../sandbox/cli/command-sources.ts'
import { createProgram } from '../../sandbox/cli/create-program.ts'
import { manualOf } from '../../sandbox/cli/manual.ts'

/** What holds the commands of other folders for the program that users start. */
const launcher: { readonly OTHER_COMMANDS: readonly CommandSource[] } = await import(
  new URL('../../bin/launch.js', import.meta.url).href
)

const sources = [...SANDBOX_COMMANDS, ...launcher.OTHER_COMMANDS]

/** The program as users start it, with every command, or with those beside the one that is called. */
export async function loadProgram(called?: string): Promise<Command> {
  return createProgram(await loadCommands(sources, called), true)
}

/** Every command, with those within it, by its words. */
export async function listCommands(): Promise<ReadonlyMap<string, Command>> {
  const { commands } = await loadProgram()
  return new Map(
    commands.flatMap((command) => [
      [command.name(), command],
      ...command.commands.map((inner) => [`${command.name()} ${inner.name()}`, inner] as const),
    ]),
  )
}

/** The examples of each command, without `npx hookbench`. */
export async function listExamples(): Promise<readonly (readonly [name: string, line: string])[]> {
  return [...(await listCommands())].flatMap(([name, command]) =>
    (manualOf(command)?.examples ?? []).map(([line]) => [name, line] as const),
  )
}
