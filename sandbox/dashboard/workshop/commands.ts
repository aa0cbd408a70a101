import { toPerformAny } from '../../client/control-client.ts'
import { formatCommand, type CommandValues } from '../palette/command-text.ts'
import { planCall } from '../palette/run-command.ts'
import type { App } from '../state/app.ts'
import type { PageCommand } from '../state/page-command.ts'

/** A CLI command that the page can run. */
export interface Command {
  readonly line: string
  /** Runs it and shows the success text or the error. */
  run(done?: string): Promise<unknown>
}

/** Finds a command by name and fills it in. */
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

/** Returns the values with one changed. An empty text removes it. */
export function withValue(values: CommandValues, name: string, value: string): CommandValues {
  const { [name]: _, ...rest } = values
  return value === '' ? rest : { ...rest, [name]: value }
}
