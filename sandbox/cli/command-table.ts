import type { Argument, Command, Option } from 'commander'
import type { TextFields } from './field-pairs.ts'

export interface CommandRow {
  readonly name: string
  readonly heading: string
  readonly about: string
  readonly arguments: readonly ArgumentRow[]
  readonly options: readonly OptionRow[]
  readonly textFields?: TextFields
}

export interface ArgumentRow {
  readonly name: string
  readonly about: string
  readonly required: boolean
  readonly variadic: boolean
  readonly choices: readonly string[]
}

export interface OptionRow {
  /** The name of the option with its hyphens, such as `--limit`. */
  readonly name: string
  readonly value: string | null
  readonly about: string
  readonly choices: readonly string[]
}

export function toCommandRows(commands: readonly Command[]): CommandRow[] {
  return commands.flatMap((command) => toRows(command, command.helpGroup()))
}

function toRows(command: Command, heading: string, before = ''): CommandRow[] {
  const name = `${before}${command.name()}`
  const row: CommandRow = {
    name,
    heading: heading.replace(/:$/, ''),
    about: command.summary() || command.description(),
    arguments: command.registeredArguments.map(toArgumentRow),
    options: command.options.filter(({ hidden }) => !hidden).map(toOptionRow),
  }
  return [row, ...command.commands.flatMap((inner) => toRows(inner, heading, `${name} `))]
}

function toArgumentRow(argument: Argument): ArgumentRow {
  const { description: about, required, variadic, argChoices: choices = [] } = argument
  return { name: argument.name(), about, required, variadic, choices }
}

function toOptionRow({ long, short, flags, description, argChoices = [] }: Option): OptionRow {
  const [, value = null] = /[<[]([^>\]]+)[>\]]/.exec(flags) ?? []
  return { name: long ?? short ?? flags, value, about: description, choices: argChoices }
}
