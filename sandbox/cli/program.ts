import { Command, CommanderError } from 'commander'
import { DEFAULT_DATA_FOLDER } from '../engine/core/command-line.ts'
import { correctSpelling } from '../engine/core/nearest.ts'
import { VERSION } from '../engine/core/version.ts'
import { loadCommands, SANDBOX_COMMANDS, type CommandSource, type HandedIn } from './command-sources.ts'
import { EXIT, reportFailure, UsageError } from './failure.ts'

const EPILOGUE = `
A command finds the running sandbox by its data folder (--data, default .hookbench),
or by HOOKBENCH_URL (the bench's address) and HOOKBENCH_TOKEN; over HTTPS with HOOKBENCH_CA, the file of its CA.

Exit codes: 0 fine, 1 something failed, 2 wrong use, 3 the other side cannot be reached, 4 damaged or failed store.`

/** Runs one command line; `others` are the commands of other folders, and `handed` what the sandbox's own use of them. */
export async function runProgram(
  argv: readonly string[],
  others: readonly CommandSource[],
  handed: HandedIn = {},
): Promise<void> {
  const json = argv.includes('--json')
  const program = new Command('hookbench')
    .description('The bench on which a platform builds and proves its webhook receiver.')
    .usage('<command> [options]')
    .commandsGroup('Sandbox:')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .version(VERSION)
    .addHelpText('after', EPILOGUE)
  const listed = await loadCommands([...SANDBOX_COMMANDS, ...others], argv[2], handed)
  const commands = [...listed, helpCommand(program).helpGroup('Sandbox:')]
  for (const command of commands) program.addCommand(command)
  for (const command of [program, ...commands, ...commands.flatMap(({ commands: inner }) => inner)]) {
    command.exitOverride().showHelpAfterError(`(try "npx hookbench ${commandPath(command)}--help")`)
    if (json) command.configureOutput({ writeErr: () => {} })
  }
  let data = DEFAULT_DATA_FOLDER
  program.hook('preAction', (_, command) => {
    data = command.optsWithGlobals<{ readonly data?: string }>().data ?? data
  })
  // The reader of the output may have gone, as "head" does; a full disk is a failure.
  process.stdout.on('error', (error) => {
    if (Reflect.get(error, 'code') !== 'EPIPE') process.exitCode = EXIT.failed
  })
  // Nobody reads what is said there: that is no reason to end what runs.
  process.stderr.on('error', () => {})
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    if (!isHelp) reportFailure(error, { json, data })
  }
}

/** The names by which a command is called, each with a space after it. */
function commandPath(command: Command): string {
  return command.parent === null ? '' : `${commandPath(command.parent)}${command.name()} `
}

/** `help`, of a command of the program or of one within a command. */
function helpCommand(program: Command): Command {
  return new Command('help')
    .description('show the help of a command')
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
  const meant = correctSpelling(
    name,
    commands.map((command) => command.name()),
  )
  const remedy =
    meant === undefined ? '"npx hookbench --help" lists all commands' : `did you mean "${meant}"?`
  throw new UsageError(`Cannot show the help of "${name}": there is no such command; ${remedy}`)
}
