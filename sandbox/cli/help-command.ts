import { Command } from 'commander'
import { likely } from '../engine/core/nearest.ts'
import { UsageError } from './failure.ts'

/** `help`, of a command of the program or of one within a command. */
export function helpCommand(program: Command): Command {
  return new Command('help')
    .description('tell all about a command')
    .argument('[command...]', 'its name, such as up, or faults add')
    .action((names: string[]) => {
      let command = program
      for (const name of names) command = commandWithin(command, name)
      command.outputHelp()
    })
}

function commandWithin({ commands }: Command, name: string): Command {
  const found = commands.find((command) => command.name() === name)
  if (found) return found
  const meant = likely(
    name,
    commands.map((command) => command.name()),
  )
  const remedy =
    meant === undefined ? '"npx hookbench --help" lists all commands' : `did you mean "${meant}"?`
  throw new UsageError(`Cannot tell about "${name}": there is no such command; ${remedy}`)
}
