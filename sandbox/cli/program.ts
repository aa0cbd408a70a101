import { CommanderError } from 'commander'
import type { CommandTarget } from '../engine/core/command-line.ts'
import {
  loadCommands,
  SANDBOX_COMMANDS,
  type CommandSource,
  type ProgramDependencies,
} from './command-sources.ts'
import { createProgram } from './create-program.ts'
import { EXIT, reportFailure } from './failure.ts'
import { warnOfLeftWorlds } from './left-worlds.ts'

/** The commands that print their own advice about interrupted runs, or that this advice recommends. */
const OWN_ADVICE: ReadonlySet<string> = new Set(['doctor', 'restore', 'up', 'demo', 'check'])

/** The command that shell scripts call for completions: `hookbench complete -- WORDS`. */
const COMPLETE = 'complete'

/** Runs one command line. `others` are the sources of commands in other folders of this project. */
export async function runProgram(
  argv: readonly string[],
  others: readonly CommandSource[],
  handed: ProgramDependencies = {},
): Promise<void> {
  // Ignores an output that its reader has closed, for example `head`. Any other output error, such as a full disk, is a failure.
  process.stdout.on('error', (error) => {
    if (Reflect.get(error, 'code') !== 'EPIPE') process.exitCode = EXIT.failed
  })
  process.stderr.on('error', () => {})
  const sources = [...SANDBOX_COMMANDS, ...others]
  if (argv[2] === COMPLETE && argv[3] === '--') return complete(argv.slice(4), sources, handed)
  const json = argv.includes('--json')
  const called = argv[2] === 'help' ? argv[3] : argv[2]
  const program = createProgram(await loadCommands(sources, called, handed), json)
  let target: CommandTarget = {}
  program.hook('preAction', (_, command) => {
    const { data, world } = command.optsWithGlobals<CommandTarget>()
    target = { data, world }
    if (data !== undefined && !OWN_ADVICE.has(command.name())) warnOfLeftWorlds(data)
  })
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    if (!isHelp) reportFailure(error, { json, target })
  }
}

async function complete(
  words: readonly string[],
  sources: readonly CommandSource[],
  handed: ProgramDependencies,
): Promise<void> {
  const { printCompletions } = await import('./completion-command.ts')
  const own = words[0] === 'hookbench' ? words.slice(1) : words
  const called = own.length > 1 ? own[0] : undefined
  const program = createProgram(await loadCommands(sources, called, handed), true)
  await printCompletions(program, own, handed.listChecks ?? (async () => []))
}
