import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.ts'
import { advanceCommand } from './advance-command.ts'
import { certCommand } from './cert-command.ts'
import { changeCommand, createCommand } from './change-command.ts'
import { demoCommand } from './demo-command.ts'
import { EXIT, reportFailure } from './failure.ts'
import { jobCommand, jobsCommand } from './jobs-command.ts'
import { readingsCommand } from './readings-command.ts'
import { nextCommand, playCommand } from './play-command.ts'
import { registerCommand } from './register-command.ts'
import { upCommand } from './up-command.ts'

const EPILOGUE = `
A command finds the running sandbox by its data folder (--data, default .hookbench),
or by HOOKBENCH_URL (the bench's address) and HOOKBENCH_TOKEN.

Exit codes: 0 fine, 1 something failed, 2 wrong use, 3 the other side cannot be reached, 4 damaged store.`

/** Runs one command line; `others` are the commands of other folders. */
export async function runProgram(argv: readonly string[], others: readonly Command[]): Promise<void> {
  const program = new Command('hookbench')
    .description('The bench on which a platform builds and proves its webhook receiver.')
    .version(VERSION)
    .addHelpText('after', EPILOGUE)
  const commands = [
    upCommand(),
    demoCommand(),
    registerCommand(),
    createCommand(),
    changeCommand(),
    playCommand(),
    nextCommand(),
    jobsCommand(),
    jobCommand(),
    advanceCommand(),
    readingsCommand(),
    certCommand(),
    ...others,
  ]
  for (const command of commands) program.addCommand(command)
  for (const command of [program, ...commands, ...commands.flatMap(({ commands: inner }) => inner)]) {
    command.exitOverride().showHelpAfterError(`(try "npx hookbench ${pathOf(command)}--help")`)
  }
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    if (!(error instanceof CommanderError)) reportFailure(error, { json: argv.includes('--json') })
    else process.exitCode = error.exitCode === 0 ? EXIT.fine : EXIT.misused
  }
}

/** The names by which a command is called, each with a space after it. */
function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)}${command.name()} `
}
