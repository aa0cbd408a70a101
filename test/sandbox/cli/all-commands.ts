import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { parse } from 'yaml'
import { type CommandSource, loadCommands, SANDBOX_COMMANDS } from '../../../sandbox/cli/command-sources.ts'
import { createProgram } from '../../../sandbox/cli/create-program.ts'
import type { Finding } from '../../../sandbox/cli/finding.ts'
import { manualOf } from '../../../sandbox/cli/manual.ts'

const launcher: { readonly OTHER_COMMANDS: readonly CommandSource[] } = await import(
  new URL('../../../bin/launch.js', import.meta.url).href
)

const sources = [...SANDBOX_COMMANDS, ...launcher.OTHER_COMMANDS]

export const report = (...findings: readonly Finding[]): string[] =>
  findings.map(
    ({ level, message, remedy }) => `${level}: ${message}${remedy === undefined ? '' : ` → ${remedy}`}`,
  )

export async function loadProgram(called?: string): Promise<Command> {
  return createProgram(await loadCommands(sources, called), true)
}

/** Returns all commands and subcommands by name. */
export async function listCommands(): Promise<ReadonlyMap<string, Command>> {
  const { commands } = await loadProgram()
  return new Map(
    commands.flatMap((command) => [
      [command.name(), command],
      ...command.commands.map((inner) => [`${command.name()} ${inner.name()}`, inner] as const),
    ]),
  )
}

/** Returns all examples of the commands, without the prefix `npx hookbench`. */
export async function listExamples(): Promise<readonly (readonly [name: string, line: string])[]> {
  return [...(await listCommands())].flatMap(([name, command]) =>
    (manualOf(command)?.examples ?? []).map(([line]) => [name, line] as const),
  )
}

function toShellWords(line: string): readonly string[] {
  const words = line.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"[^"]*")+/gs)
  return [...words].map(([word]) =>
    [...word.matchAll(/\\(.)|'([^']*)'|"([^"]*)"|([^\\'"]+)/gs)]
      .map(([, escaped, single, double, plain]) => escaped ?? single ?? double ?? plain ?? '')
      .join(''),
  )
}

/** Splits a line into commands. A line can contain several commands, a redirection or a background command. */
export function toCommandLines(line: string): readonly (readonly string[])[] {
  const program = ['npx', 'hookbench']
  const runs: string[][] = [[]]
  for (const word of toShellWords(line)) {
    if (['|', '&&', '&', ';'].includes(word)) runs.push([])
    else runs.at(-1)?.push(word)
  }
  return runs
    .filter((words) => program.every((word, index) => words[index] === word))
    .map((words) => words.slice(program.length))
    .map((words) => (words.includes('>') ? words.slice(0, words.indexOf('>')) : words))
}

interface Schema {
  readonly properties: Readonly<Record<string, unknown>> & {
    readonly kind: { readonly enum: readonly string[] }
    readonly type: { readonly enum: readonly string[] }
    readonly what: { readonly enum: readonly string[] }
  }
}

export const CONTROL_SCHEMAS = parse(
  readFileSync(new URL('../../../spec/control.yaml', import.meta.url), 'utf8'),
).components.schemas as Readonly<Record<'Event' | 'FaultMatch' | 'FaultRequest' | 'Waiting', Schema>>
