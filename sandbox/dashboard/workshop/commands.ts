import { toPerformAny } from '../../client/control-client.ts'
import { formatCommand, type CommandValues } from '../palette/command-text.ts'
import { planCall } from '../palette/run-command.ts'
import type { App } from '../state/app.ts'
import type { PageCommand } from '../state/page-command.ts'

/** A command of the terminal that the page carries out, too. */
export interface Command {
  /** As it is typed there. */
  readonly line: string
  /** Does it, and says that it is done, if there are words for it, or why it was refused. */
  run(done?: string): Promise<unknown>
}

/** The command of that name with what is filled in. */
export type FindCommand = (name: string, values: CommandValues) => Command | undefined

export function createFindCommand(
  commands: readonly PageCommand[],
  { perform, run, target }: Pick<App, 'perform' | 'run' | 'target'>,
): FindCommand {
  return (name, values) => {
    const command = commands.find((each) => each.name === name)
    return (
      command && {
        line: formatCommand(command, values, target.value),
        run: (done) =>
          run(
            async () => {
              const call = planCall(command, values)
              if (call) await toPerformAny(perform)(call.operation, call.input)
            },
            done === undefined ? undefined : () => done,
          ),
      }
    )
  }
}

/** The same values with another one, or without it where it is empty. */
export function withValue(values: CommandValues, name: string, value: string): CommandValues {
  const { [name]: _, ...rest } = values
  return value === '' ? rest : { ...rest, [name]: value }
}
