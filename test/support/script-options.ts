import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'

type ScriptOption =
  | { readonly type: 'flag' }
  | { readonly type: 'text'; readonly default?: string }
  | { readonly type: 'whole'; readonly least: number; readonly default?: number }
  | { readonly type: 'number'; readonly default?: number }

type ScriptOptions = Readonly<Record<string, ScriptOption>>

type Value<Option extends ScriptOption> = Option extends { type: 'flag' }
  ? boolean
  : | (Option extends { type: 'text' } ? string : number)
    | (Option extends { default: unknown } ? never : undefined)

interface Script<Options extends ScriptOptions> {
  readonly usage: string
  readonly options: Options
  readonly names?: { readonly of: string; readonly allowed: readonly string[] }
}

interface Given<Options extends ScriptOptions> {
  readonly values: { readonly [Name in keyof Options]: Value<Options[Name]> }
  readonly names: readonly string[]
}

class ScriptUsageError extends Error {
  override readonly name = 'ScriptUsageError'
}

/** The largest number that an option accepts. Seeds have 32 bits, and no script needs a larger number. */
const MOST = 2 ** 31 - 1

/** Exits with 2 for an unknown argument, because a script that tests nothing must not seem successful. */
export function readOptions<const Options extends ScriptOptions>(script: Script<Options>): Given<Options> {
  try {
    const given = parseOptions(process.argv.slice(2), script)
    if (given !== 'help') return given
    console.log(script.usage)
    return process.exit(0)
  } catch (error) {
    if (error instanceof ScriptUsageError) return refuseOptions(script.usage, error.message)
    throw error
  }
}

export function refuseOptions(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`)
  process.exit(2)
}

function parseOptions<const Options extends ScriptOptions>(
  args: readonly string[],
  script: Script<Options>,
): Given<Options> | 'help' {
  const command = toCommand(script)
  try {
    command.parse(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return 'help'
    throw new ScriptUsageError(error.message.replace(/^error: /, ''), { cause: error })
  }
  return { values: command.opts<Given<Options>['values']>(), names: command.args }
}

function toCommand({ options, names }: Script<ScriptOptions>): Command {
  const command = new Command()
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .allowExcessArguments(false)
  for (const [name, option] of Object.entries(options)) command.addOption(toOption(name, option))
  if (names)
    command.addArgument(
      new Argument(`[${names.of}...]`).default([]).argParser((name: string, before: readonly string[]) => {
        if (names.allowed.includes(name)) return [...before, name]
        throw new InvalidArgumentError(`There is no ${names.of} "${name}": ${names.allowed.join(', ')}`)
      }),
    )
  return command
}

function toOption(name: string, option: ScriptOption): Option {
  if (option.type === 'flag') return new Option(`--${name}`).default(false)
  const valued = new Option(`--${name} <${option.type}>`).default(option.default)
  return option.type === 'text' ? valued : valued.argParser((text: string) => readNumber(text, option))
}

function readNumber(text: string, option: Extract<ScriptOption, { type: 'whole' | 'number' }>): number {
  const isWhole = option.type === 'whole'
  const number = Number(text)
  const isWritten = (isWhole ? /^\d+$/ : /^\d*\.?\d+$/).test(text)
  if (isWritten && number <= MOST && (isWhole ? number >= option.least : number > 0)) return number
  const what = isWhole
    ? `a whole number from ${option.least} to ${MOST}`
    : `a number above 0, at most ${MOST}`
  throw new InvalidArgumentError(`It takes ${what}.`)
}
