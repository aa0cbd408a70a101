import { Command } from 'commander'
import { likely } from '../engine/core/nearest.ts'
import { UsageError } from './failure.ts'

/** A command of a command: its options are also those of the command that it belongs to. */
export function subcommand(name: string, description: string): Command {
  return new Command(name).description(description).configureHelp({ showGlobalOptions: true })
}

/** For a command that lists by itself: a misspelt subcommand would be taken for an argument. Throws UsageError. */
export function refuseOthers(command: Command): void {
  const [given] = command.args
  if (given === undefined) return
  const names = command.commands.map((each) => each.name())
  const meant = likely(given, names)
  throw new UsageError(
    `Cannot run "${command.name()} ${given}": there is no such command; ${meant === undefined ? `it has ${names.join(', ')}` : `did you mean "${command.name()} ${meant}"?`}`,
  )
}
