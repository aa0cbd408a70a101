import { Argument, Command, Option } from 'commander'
import type { Perform } from '../compose/perform.ts'
import { correctSpelling } from '../../spec/nearest.ts'
import { EXIT, UsageError } from './failure.ts'
import { withManual, type Manual } from './manual.ts'
import { withChoices } from './option-values.ts'
import { connect, print, withFolderOptions, withSandboxOptions, type SandboxFlags } from './sandbox-flags.ts'

export interface ControlCommand<Flags extends SandboxFlags, Reply> extends Manual {
  readonly name: string
  readonly description: string
  readonly summary?: string
  readonly arguments?: readonly Argument[]
  readonly options?: readonly Option[]
  /** True if an argument may start with a hyphen. */
  readonly allowUnknownOption?: boolean
  readonly call: (perform: Perform, flags: Flags) => Promise<Reply>
  readonly text: (reply: Reply, flags: Flags, perform: Perform) => string | Promise<string>
  readonly hasFailed?: (reply: Reply) => boolean
  readonly subcommands?: readonly Command[]
  /** True if the command applies to the entire sandbox and has no `--world` option. */
  readonly isOfWholeSandbox?: boolean
}

export function controlCommand<Flags extends SandboxFlags, Reply>(
  row: ControlCommand<Flags, Reply>,
): Command {
  return row.isOfWholeSandbox === true
    ? withFolderOptions(controlSubcommand(row))
    : withSandboxOptions(controlSubcommand(row))
}

/** Creates a subcommand. The subcommand accepts the sandbox options of its parent command. */
export function controlSubcommand<Flags extends SandboxFlags, Reply>(
  row: ControlCommand<Flags, Reply>,
): Command {
  const { name, description, summary, subcommands = [] } = row
  const command = withManual(new Command(name), row).description(description)
  if (summary !== undefined) command.summary(summary)
  for (const each of row.arguments ?? []) command.addArgument(each)
  for (const each of row.options ?? []) command.addOption(each)
  if (row.allowUnknownOption === true) command.allowUnknownOption()
  for (const subcommand of subcommands) command.addCommand(subcommand)
  // Commander parses a misspelt subcommand as an extra argument. A later check reports the unknown subcommand.
  if (subcommands.length > 0) command.allowExcessArguments()
  return command.action(async () => {
    if (subcommands.length > 0) refuseUnknownSubcommand(command)
    await run(row, command)
  })
}

async function run<Flags extends SandboxFlags, Reply>(
  { call, text, hasFailed }: ControlCommand<Flags, Reply>,
  command: Command,
): Promise<void> {
  const values = command.registeredArguments.map((each, index) => [each.name(), command.processedArgs[index]])
  const flags: Flags = { ...command.optsWithGlobals<Flags>(), ...Object.fromEntries(values) }
  // Connects at the first call, so that usage errors are reported before connection errors.
  const perform: Perform = (id, ...input) => connect(flags)(id, ...input)
  const reply = await call(perform, flags)
  print(reply, flags.json === true ? '' : await text(reply, flags, perform), flags)
  if (hasFailed?.(reply) === true) process.exitCode = EXIT.failed
}

function refuseUnknownSubcommand(command: Command): void {
  const [given] = command.args
  if (given === undefined) return
  const names = command.commands.map((each) => each.name())
  const meant = correctSpelling(given, names)
  throw new UsageError(
    `Cannot run "${command.name()} ${given}": unknown command. ${meant === undefined ? `It has ${names.join(', ')}` : `Did you mean "${command.name()} ${meant}"?`}`,
  )
}

export function argument<Value>(
  name: string,
  about: string,
  parse?: (text: string, earlier: Value) => Value,
): Argument {
  const created = new Argument(name, about)
  return parse ? created.argParser(parse) : created
}

export function option<Value>(
  flags: string,
  about: string,
  parse?: (text: string, earlier: Value) => Value,
): Option {
  const created = new Option(flags, about)
  return parse ? created.argParser(parse) : created
}

export function choice(flags: string, about: string, choices: readonly string[]): Option {
  return withChoices(new Option(flags, about), choices)
}
