import type { Command } from 'commander'
import { toCommandRows, type CommandRow, type OptionRow } from '../command-table.ts'
import { SANDBOX_EXIT_CODES, type Manual, type ManualSection, type Row } from './manual.ts'

/** The help of a command, laid out by whoever shows it: in a terminal, on a page, or as a page of `man`. */
export interface ManualPage {
  /** Its words, such as `faults add`. */
  readonly name: string
  readonly about: string
  readonly sections: readonly PageSection[]
}

export interface PageSection {
  readonly heading: string
  /** Lines that stand as they are. */
  readonly lines?: readonly string[]
  readonly paragraphs?: readonly string[]
  readonly rows?: readonly Row[]
  /** Command lines, with what each is for. */
  readonly examples?: readonly Row[]
}

/** The page of a command with its manual. */
export function toManualPage(command: Command, manual: Manual): ManualPage {
  const name = commandWords(command)
  const [row] = toCommandRows([command])
  if (row === undefined) throw new TypeError(`Cannot show the help of "${name}": there is no such command`)
  const sections: readonly PageSection[] = [
    { heading: 'Name', lines: [`hookbench ${name} - ${row.about}`] },
    { heading: 'Synopsis', lines: synopsis(command) },
    { heading: 'Description', paragraphs: descriptionOf(command, manual) },
    { heading: 'Commands', rows: command.commands.map((inner) => [inner.name(), inner.description()]) },
    { heading: 'Arguments', rows: argumentRows(row) },
    { heading: 'Options', rows: optionRows(command) },
    ...(manual.sections ?? []).map(toPageSection),
    {
      heading: 'Examples',
      examples: manual.examples.map(([line, about]) => [`npx hookbench ${line}`, about]),
    },
    { heading: 'Exit codes', rows: Object.entries(manual.exitCodes ?? SANDBOX_EXIT_CODES) },
    { heading: 'See also', paragraphs: seeAlso(manual.seeAlso ?? []) },
  ]
  return { name, about: row.about, sections: sections.filter((section) => !isEmpty(section)) }
}

/** What the list of commands says short is said in full. */
function descriptionOf(command: Command, { about = [] }: Manual): readonly string[] {
  return command.summary() === '' ? about : [toSentence(command.description()), ...about]
}

function toPageSection({ heading, about = [], rows = [] }: ManualSection): PageSection {
  return { heading, paragraphs: about, rows }
}

/** The words by which a command is called, without that of the program. */
export function commandWords(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null
    ? command.name()
    : `${commandWords(parent)} ${command.name()}`
}

function isEmpty({ lines = [], paragraphs = [], rows = [], examples = [] }: PageSection): boolean {
  return lines.length + paragraphs.length + rows.length + examples.length === 0
}

function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}

function synopsis(command: Command): readonly string[] {
  const words = (one: Command) => `npx hookbench ${commandWords(one)}`
  const taken = (one: Command) =>
    [...one.registeredArguments.map(termOf), '[options]'].map((part) => ` ${part}`).join('')
  return [command, ...command.commands].map((one) => `${words(one)}${taken(one)}`)
}

function termOf(argument: {
  name(): string
  readonly required: boolean
  readonly variadic: boolean
}): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function argumentRows({ arguments: taken }: CommandRow): readonly Row[] {
  return taken.map(({ name, about, choices }) => [`<${name}>`, withChoices(about, choices)])
}

/** Its own and those of the command that it belongs to. */
function optionRows(command: Command): readonly Row[] {
  const parent = command.parent?.parent ? command.parent : undefined
  const rows = [command, ...(parent ? [parent] : [])].flatMap((one) =>
    one.options
      .filter(({ hidden }) => !hidden)
      .map((option): Row => {
        const { flags, description, argChoices = [], defaultValue } = option
        const fallback =
          typeof defaultValue === 'string' || typeof defaultValue === 'number'
            ? ` (default: ${defaultValue})`
            : ''
        const variable = option.envVar === undefined ? '' : ` ($${option.envVar})`
        return [flags, `${withChoices(description, argChoices)}${fallback}${variable}`]
      }),
  )
  return [...rows, ['-h, --help', 'show this']]
}

function withChoices(about: string, choices: OptionRow['choices']): string {
  // Where it tells of each already, they are not listed.
  const isTold = choices.every((choice) => about.includes(choice))
  return isTold ? about : `${about}: ${choices.join(', ')}`
}

function seeAlso(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [names.map((name) => `hookbench ${name}`).join(', ')]
}
