import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { listCommands } from '../../support/all-commands.ts'

const commands = await listCommands()

/** The help of a command in a terminal with so many columns. */
function helpOf(command: Command | undefined, columns: number): string {
  const { columns: before } = process.stdout
  process.stdout.columns = columns
  const help = command?.helpInformation() ?? ''
  process.stdout.columns = before
  return help
}

test.each([...commands])('the help of "%s" has its usage, purpose, options and examples', (name, command) => {
  const [usage, , purpose] = helpOf(command, 80).split('\n')
  const headings = helpOf(command, 80)
    .split('\n')
    .filter((line) => /^[A-Z][\w ]*:$/.test(line))

  expect(usage).toMatch(new RegExp(`^Usage: npx hookbench ${name} \\[options\\]`))
  expect(purpose).toMatch(/^[A-Z]/)
  expect(headings).toEqual(expect.arrayContaining(['Options:', 'Examples:']))
})

test.each([80, 100, 200])('no line of a help is wider than %d columns, or than 100', (columns) => {
  const lines = [...commands.values()].flatMap((command) => helpOf(command, columns).split('\n'))

  // A command line and a word are whole.
  const foldable = lines.filter((line) => !/^ {2}(#|npx )|^Usage:/.test(line) && line.trim().includes(' '))
  expect(foldable.filter((line) => line.length > Math.min(columns, 100))).toEqual([])
})

test('the help of an option has its choices, its default and its variable', () => {
  const jobs = helpOf(commands.get('jobs'), 100)

  expect(jobs).toMatch(/--status <status> +only these \(choices: "pending", "success", "failed"\)/)
  expect(jobs).toMatch(/--limit <count> +how many at most \(default: 20\)/)
  expect(jobs).toMatch(/--world <name> +.*\(env: HOOKBENCH_WORLD\)/)
})

test('a command within a command has the options of both', () => {
  const add = helpOf(commands.get('faults add'), 100)

  expect(add).toMatch(/--times <count>[^]*--data <dir>[^]*--json[^]*--help/)
  expect(add.match(/--help/g)).toHaveLength(1)
})
