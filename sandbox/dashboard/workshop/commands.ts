import { toPerformAny } from '../../client/control-client.ts'
import type { Perform } from '../../compose/perform.ts'
import { formatCommand, type CommandValues } from '../palette/command-text.ts'
import { planCall } from '../palette/run-command.ts'
import type { PageCommand } from '../state/page-command.ts'

/** A command of the terminal that the page carries out, too. */
export interface Command {
  /** As it is typed there. */
  readonly line: string
  run(perform: Perform): Promise<unknown>
}

/** The command of that name with what is filled in; undefined if there is none. */
export type FindCommand = (name: string, values: CommandValues) => Command | undefined

export function createFindCommand(commands: readonly PageCommand[]): FindCommand {
  return (name, values) => {
    const command = commands.find((each) => each.name === name)
    return (
      command && {
        line: formatCommand(command, values),
        async run(perform) {
          const call = planCall(command, values)
          return call && toPerformAny(perform)(call.operation, call.input)
        },
      }
    )
  }
}

/** The same values with another one, or without it where it is empty. */
export function withValue(values: CommandValues, name: string, value: string): CommandValues {
  const { [name]: _, ...rest } = values
  return value === '' ? rest : { ...rest, [name]: value }
}
