import type { Command } from 'commander'
import { loadCommands, SANDBOX_COMMANDS, type CommandSource } from '../../sandbox/cli/command-sources.ts'
import { createProgram } from '../../sandbox/cli/create-program.ts'
import { listsOf, manualOf } from '../../sandbox/cli/manual.ts'

/** Returns the page with the help of every command, as the program prints it. */
export async function commandsPage(): Promise<string> {
  const launcher: { readonly OTHER_COMMANDS: readonly CommandSource[] } = await import(
    new URL('../../bin/launch.js', import.meta.url).href
  )
  const listed = await loadCommands([...SANDBOX_COMMANDS, ...launcher.OTHER_COMMANDS], undefined)
  const { commands } = createProgram(listed, true)
  const groups = [...Map.groupBy(commands, (command) => command.helpGroup().replace(':', ''))].map(
    ([heading, of]) => [heading, of.flatMap((command) => [command, ...command.commands])] as const,
  )
  return [
    '# Commands',
    'This page contains the help of every command (`npx hookbench help COMMAND`). Replace `ITEM`, `JOB` and other words in capitals with ids. [Shell completion and JSON output](../shell.md) describes the features that all commands share.',
    groups
      .map(([heading, of]) => `- ${heading}: ${of.map((each) => link(words(each))).join(', ')}`)
      .join('\n'),
    ...groups.flatMap(([heading, of]) => [`## Commands: ${heading}`, ...of.map(commandSection)]),
    '',
  ].join('\n\n')
}

/** Returns the name of a command, such as `faults add`. */
function words(command: Command): string {
  return command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name()
}

function link(name: string): string {
  return `[${name}](#${name.replaceAll(' ', '-')})`
}

function commandSection(command: Command): string {
  const manual = manualOf(command)
  if (!manual) throw new TypeError(`Cannot show "${words(command)}": it has no manual`)
  const help = Object.assign(command.createHelp(), { helpWidth: Infinity })
  const [description = ''] = help.commandDescription(command).split('\n\n')
  const rows: Readonly<Record<string, readonly (readonly [term: string, about: string])[]>> = {
    Commands: command.commands.map((each) => [each.name(), help.subcommandDescription(each)]),
    Arguments: help
      .visibleArguments(command)
      .map((each) => [`<${each.name()}>`, help.argumentDescription(each)]),
    Options: help.visibleOptions(command).map((each) => [each.flags, help.optionDescription(each)]),
    ...listsOf(manual),
  }
  const examples = manual.examples.flatMap(([line, about]) => [
    ...(about === '' ? [] : [`# ${about}`]),
    `npx hookbench ${line}`,
  ])
  return [
    `### ${words(command)}`,
    escapeText(description),
    fence('text', help.commandUsage(command)),
    ...(manual.about ?? []).map(escapeText),
    ...Object.entries(rows).flatMap(([heading, of]) => (of.length === 0 ? [] : [table(heading, of)])),
    fence('sh', examples.join('\n')),
    ...(manual.seeAlso ? [`See also: ${manual.seeAlso.map(link).join(', ')}.`] : []),
  ].join('\n\n')
}

function table(heading: string, rows: readonly (readonly [term: string, about: string])[]): string {
  const lines = rows.map(
    ([term, about]) => `| \`${term.replaceAll('|', String.raw`\|`)}\` | ${escapeText(about)} |`,
  )
  return [`| ${heading} | |`, '| --- | --- |', ...lines].join('\n')
}

function fence(language: string, text: string): string {
  return ['```' + language, text, '```'].join('\n')
}

/** Escapes the characters that have a meaning in Markdown or Vue. */
function escapeText(text: string): string {
  return text.replaceAll(/[<{|*]/g, (character) => `&#${character.charCodeAt(0)};`)
}
