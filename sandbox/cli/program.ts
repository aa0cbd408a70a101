import { Command, CommanderError } from 'commander'
import { DEFAULT_DATA_FOLDER } from '../adapters/data-folder.ts'
import { VERSION } from '../engine/core/version.ts'
import { advanceCommand } from './advance-command.ts'
import { certCommand } from './cert-command.ts'
import { changeCommand, createCommand } from './change-command.ts'
import { clockCommand } from './clock-command.ts'
import { deliverCommand } from './deliver-command.ts'
import { deliveriesCommand, deliveryCommand } from './deliveries-command.ts'
import { demoCommand } from './demo-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { eventsCommand } from './events-command.ts'
import { EXIT, reportFailure } from './failure.ts'
import { faultsCommand } from './faults-command.ts'
import { helpCommand } from './help-command.ts'
import { jobCommand, jobsCommand } from './jobs-command.ts'
import { paymentCommand, paymentsCommand } from './payments-command.ts'
import { nextCommand, playCommand } from './play-command.ts'
import { readingsCommand } from './readings-command.ts'
import { readyCommand } from './ready-command.ts'
import { registerCommand } from './register-command.ts'
import { disableCommand, enableCommand, unregisterCommand } from './registration-commands.ts'
import { registrationsCommand } from './registrations-command.ts'
import { requestsCommand } from './requests-command.ts'
import { resendCommand } from './resend-command.ts'
import { resetCommand } from './reset-command.ts'
import { settleCommand } from './settle-command.ts'
import { moveCommand, showCommand } from './show-command.ts'
import { snapshotCommand } from './snapshot-command.ts'
import { upCommand } from './up-command.ts'

const EPILOGUE = `
A command finds the running sandbox by its data folder (--data, default .hookbench),
or by HOOKBENCH_URL (the bench's address) and HOOKBENCH_TOKEN.

Exit codes: 0 fine, 1 something failed, 2 wrong use, 3 the other side cannot be reached, 4 damaged store.`

/** Runs one command line; `others` are the commands of other folders. */
export async function runProgram(argv: readonly string[], others: readonly Command[]): Promise<void> {
  const json = argv.includes('--json')
  const program = new Command('hookbench')
    .description('The bench on which a platform builds and proves its webhook receiver.')
    .usage('<command> [options]')
    .commandsGroup('Sandbox:')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .version(VERSION)
    .addHelpText('after', EPILOGUE)
  const commands = [...grouped(others), helpCommand(program).helpGroup('Sandbox:')]
  for (const command of commands) program.addCommand(command)
  for (const command of [program, ...commands, ...commands.flatMap(({ commands: inner }) => inner)]) {
    command.exitOverride().showHelpAfterError(`(try "npx hookbench ${pathOf(command)}--help")`)
    if (json) command.configureOutput({ writeErr: () => {} })
  }
  let data = DEFAULT_DATA_FOLDER
  program.hook('preAction', (_, command) => {
    data = command.optsWithGlobals<{ readonly data?: string }>().data ?? data
  })
  // Whoever read our lines may have gone, as "head" does; that the disk is full is a failure.
  process.stdout.on('error', (error) => {
    if (Reflect.get(error, 'code') !== 'EPIPE') process.exitCode = EXIT.failed
  })
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    if (!isHelp) reportFailure(error, { json, data })
  }
}

/** Every command under its heading, in the order in which the help lists them. */
function grouped(others: readonly Command[]): Command[] {
  const groups = {
    'Sandbox:': [upCommand(), demoCommand(), readyCommand(), doctorCommand(), eventsCommand()],
    'Objects and payments:': objectCommands(),
    'Deliveries:': deliveryCommands(),
    'Faults:': [faultsCommand()],
    'Clock:': [clockCommand(), advanceCommand(), settleCommand()],
    'World:': [readingsCommand(), resetCommand(), snapshotCommand()],
    'Receiver:': [
      registerCommand(),
      registrationsCommand(),
      enableCommand(),
      disableCommand(),
      unregisterCommand(),
      ...others.filter(aboutReceivers),
    ],
    'Files:': [certCommand(), ...others.filter((command) => !aboutReceivers(command))],
  }
  return Object.entries(groups).flatMap(([heading, commands]) =>
    commands.map((command) => command.helpGroup(heading)),
  )
}

function objectCommands(): Command[] {
  return [
    createCommand(),
    showCommand(),
    changeCommand(),
    moveCommand(),
    playCommand(),
    nextCommand(),
    paymentsCommand(),
    paymentCommand(),
  ]
}

function deliveryCommands(): Command[] {
  return [
    jobsCommand(),
    jobCommand(),
    resendCommand(),
    deliverCommand(),
    deliveriesCommand(),
    deliveryCommand(),
    requestsCommand(),
  ]
}

const aboutReceivers = (command: Command) => ['init', 'check'].includes(command.name())

/** The names by which a command is called, each with a space after it. */
function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)}${command.name()} `
}
