import { Command, Help, type HelpConfiguration, type Option } from 'commander'
import { correctSpelling, formatChoices } from '../../spec/nearest.ts'
import { toPrintableLines } from '../engine/core/short-text.ts'
import { VERSION } from '../engine/core/version.ts'
import { explainCommandLine, styleError, UsageError } from './failure.ts'
import { formatManual, manualOf, withManual } from './manual.ts'
import { style } from './terminal.ts'

const EPILOGUE = `
"npx hookbench help COMMAND" shows the help of a command, with examples.

A command finds the running sandbox by its data folder (--data, default
.hookbench), or by HOOKBENCH_URL and HOOKBENCH_TOKEN of its bench. For HTTPS,
set HOOKBENCH_CA to its CA file. --world or HOOKBENCH_WORLD selects a world.

Exit codes: 0 success, 1 failure, 2 incorrect usage, 3 not reachable, 4 store damaged.`

/** Creates the command line program. If `json` is true, commander does not print usage errors as text. */
export function createProgram(listed: readonly Command[], json: boolean): Command {
  const program = new Command('hookbench')
    .description('A local payments sandbox and contract tests for your webhook receiver.')
    .usage('<command> [options]')
    .commandsGroup('Sandbox:')
    .helpCommand(false)
    .version(VERSION)
    .addHelpText('after', EPILOGUE)
  const commands = [...listed, helpCommand(program).helpGroup('Sandbox:')]
  for (const command of commands) program.addCommand(command)
  for (const command of [program, ...commands, ...commands.flatMap(({ commands: inner }) => inner)]) {
    nameMissingArguments(command)
    command.configureHelp(HELP)
    command.exitOverride().showHelpAfterError(`(try "npx hookbench ${commandPath(command)}--help")`)
    command.configureOutput({
      getOutHelpWidth: () => Math.min(process.stdout.columns ?? USUAL_WIDTH, WIDEST),
      ...(json
        ? { writeErr: () => {} }
        : {
            outputError: (text, write) =>
              write(styleError(toPrintableLines(`hookbench: ${explainCommandLine(text)}`))),
          }),
    })
  }
  return program
}

const WIDEST = 100
const USUAL_WIDTH = 80

const HELP: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  commandUsage: (command) => new Help().commandUsage(command).replace('hookbench', 'npx hookbench'),
  commandDescription: (command) => [toSentence(command), ...(manualOf(command)?.about ?? [])].join('\n\n'),
  visibleOptions: listOptions,
  styleTitle: (title) => style('bold', title),
  formatHelp(command, help) {
    const manual = manualOf(command)
    const parts = [new Help().formatHelp(command, help), ...(manual ? [formatManual(manual, help)] : [])]
    return parts.join('\n')
  },
}

function toSentence(command: Command): string {
  const text = command.description()
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}

function listOptions(command: Command): Option[] {
  const { parent, options } = command
  if (!parent?.parent) return new Help().visibleOptions(command)
  return [...options.filter(({ hidden }) => !hidden), ...listOptions(parent)]
}

/** Makes commander report every missing argument. By default, commander reports only the first missing argument. */
function nameMissingArguments(command: Command): void {
  Object.assign(command, {
    missingArgument(name: string): never {
      const missing = command.registeredArguments
        .slice(command.args.length)
        .filter(({ required }) => required)
      const lines = missing.map(
        (each) =>
          `\n  <${each.name()}>: ${each.argChoices ? formatChoices(each.argChoices) : each.description}`,
      )
      command.error(`error: missing required argument '${name}'${lines.join('')}`, {
        code: 'commander.missingArgument',
      })
    },
  })
}

function commandPath(command: Command): string {
  return command.parent === null ? '' : `${commandPath(command.parent)}${command.name()} `
}

function helpCommand(program: Command): Command {
  const manual = {
    examples: [
      ['help jobs', 'show the same help as "jobs --help"'],
      ['help faults add', 'show the help of a subcommand'],
    ],
    seeAlso: ['completion'],
  } as const
  return withManual(new Command('help'), manual)
    .description('show the help of a command')
    .argument('[command...]', 'the name of the command, such as "up" or "faults add"')
    .action((names: string[]) => {
      let command = program
      for (const name of names) command = commandWithin(command, name)
      command.outputHelp()
    })
}

function commandWithin({ commands }: Command, name: string): Command {
  const found = commands.find((command) => command.name() === name)
  if (found) return found
  const meant = correctSpelling(
    name,
    commands.map((command) => command.name()),
  )
  const remedy =
    meant === undefined ? '"npx hookbench --help" lists all commands' : `Did you mean "${meant}"?`
  throw new UsageError(`Cannot show the help of "${name}": unknown command. ${remedy}`)
}
