import { commandLine, quoteForShell, type CommandTarget } from '../../engine/core/command-line.ts'
import type { CommandRow, OptionRow } from '../../cli/command-table.ts'

/** The values of a command, keyed by the name of the argument or option. An option without a value is `true`. */
export type CommandValues = Readonly<Record<string, string | true>>

/** Options that the page does not offer, because the page already has a sandbox and a world. */
const OF_THE_TERMINAL = new Set(['--data', '--json', '--world'])

export function optionsOf({ options }: CommandRow): readonly OptionRow[] {
  return options.filter(({ name }) => !OF_THE_TERMINAL.has(name))
}

export function formatCommandRow(row: CommandRow, values: CommandValues, target?: CommandTarget): string {
  const given = row.arguments.flatMap(({ name, required, variadic }) => {
    const value = readText(values, name)
    if (value === '') return required ? [`<${name}>`] : []
    return variadic ? splitWords(value).map(quoteForShell) : [quoteForShell(value)]
  })
  const options = optionsOf(row).flatMap(({ name, value: takes }) => {
    const value = values[name]
    if (value === undefined || value === '') return []
    return takes === null ? [name] : [name, quoteForShell(String(value))]
  })
  return commandLine([row.name, ...given, ...options].join(' '), target)
}

export function missingArguments(row: CommandRow, values: CommandValues): string[] {
  return row.arguments.flatMap(({ name, required }) =>
    required && readText(values, name) === '' ? [name] : [],
  )
}

export function readText(values: CommandValues, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value.trim() : ''
}

export function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
}

/** Splits a query into a command and its arguments. Undefined if the query does not start with the name of a command. */
export function readQuery<Row extends CommandRow>(
  query: string,
  rows: readonly Row[],
): { readonly row: Row; readonly values: CommandValues } | undefined {
  const words = splitWords(query.replace(/^\s*(npx\s+)?hookbench\s+/, ''))
  const row = rows
    .filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
  if (!row) return undefined
  const rest = words.slice(row.name.split(' ').length)
  const values = row.arguments.flatMap(({ name, variadic }, index) => {
    const value = variadic ? rest.slice(index).join(' ') : rest[index]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  return { row, values: Object.fromEntries(values) }
}

/** Matches the letters of the query in order. Lists matches in names first, and shorter matches before longer matches. */
export function searchRows<Row extends Pick<CommandRow, 'name' | 'about'>>(
  query: string,
  rows: readonly Row[],
): Row[] {
  if (query.trim() === '') return [...rows]
  const letters = query
    .replaceAll(/\s+/g, '')
    .split('')
    .map((letter) => letter.replace(/\W/, String.raw`\$&`))
  // The lookahead lets the pattern find the shortest match at every position, even if matches overlap.
  const pattern = new RegExp(`(?=(${letters.join('.*?')}))`, 'gi')
  const spanIn = (text: string) =>
    Math.min(...[...text.matchAll(pattern)].map(([, match = '']) => match.length))
  return rows
    .map((row) => ({ row, spans: [spanIn(row.name), spanIn(`${row.name} ${row.about}`), row.name.length] }))
    .filter(({ spans: [, span = 0] }) => span < Infinity)
    .toSorted((a, b) => compareSpans(a.spans, b.spans))
    .map(({ row }) => row)
}

function compareSpans(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((span, index) => span !== b[index])
  return place === -1 ? 0 : (a[place] ?? 0) < (b[place] ?? 0) ? -1 : 1
}
