import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { EXIT } from '../../../sandbox/cli/failure.ts'
import { manualOf } from '../../../sandbox/cli/manual.ts'
import { listCommands, listExamples, loadProgram } from '../../support/all-commands.ts'
import { readPageCode } from '../../support/page-code.ts'
import { openCommandWorld } from '../../support/command-world.ts'
import { toCommandLines } from '../../support/shell-words.ts'

const commands = await listCommands()
const examples = (await listExamples()).map(([name, line]) => [name, `npx hookbench ${line}`] as const)

test('every command has a manual', () => {
  const bare = [...commands].filter(([, command]) => !manualOf(command))

  expect(bare.map(([name]) => name)).toEqual([])
})

test('every command that is named as another to see is there', () => {
  const named = [...commands.values()].flatMap((command) => manualOf(command)?.seeAlso ?? [])

  expect(named.filter((name) => !commands.has(name))).toEqual([])
})

test('the page of the reference has these examples and no others', () => {
  const page = readPageCode(new URL('../../../docs/reference/commands.md', import.meta.url))
  const lines = page
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))

  expect(lines.filter((line) => !line.startsWith('#')).toSorted()).toEqual(
    examples.map(([, line]) => line).toSorted(),
  )
})

test('each example of a manual is of its command, and the program takes it', async () => {
  for (const [name, line] of examples) {
    for (const words of toCommandLines(line)) {
      const { program, calls } = await withoutActions(words[0])
      await program.parseAsync(['node', 'hookbench', ...words]).catch((error: unknown) => {
        throw new Error(`The program refuses "${line}"`, { cause: error })
      })
      expect(calls, line).toHaveLength(1)
    }
    const lines = toCommandLines(line).map((words) => `${words.join(' ')} `)
    expect(
      lines.some((each) => each.startsWith(`${name} `)),
      line,
    ).toBe(true)
  }
})

/** The program with commands that read what they are given, and do nothing. */
async function withoutActions(
  called: string | undefined,
): Promise<{ readonly program: Command; readonly calls: readonly string[] }> {
  const program = await loadProgram(called)
  const calls: string[] = []
  for (const command of [...program.commands, ...program.commands.flatMap(({ commands: inner }) => inner)]) {
    command.action(() => void calls.push(command.name()))
  }
  return { program, calls }
}

/** What starts a program, writes files, needs a data folder or a terminal, and is run by other tests. */
const ELSEWHERE = new Set([
  'up',
  'demo',
  'down',
  'ready',
  'doctor',
  'events',
  'snapshot',
  'snapshot save',
  'snapshot restore',
  'worlds',
  'worlds add',
  'worlds copy',
  'worlds show',
  'worlds remove',
  'cert',
  'init',
  'check',
  'rehearse',
  'load',
  'generate',
  'completion',
  'help',
])
const HAS_FILE = /@[\w-]+\.json/

test.each(examples.filter(([name, line]) => !ELSEWHERE.has(name) && !HAS_FILE.test(line)))(
  'an example of "%s" prints text, and JSON with --json: %s',
  async (_, line) => {
    for (const words of toCommandLines(line)) {
      const plain = words.filter((word) => word !== '--json')
      expect(await runInWorld(plain)).not.toBe('')
      expect(JSON.parse(await runInWorld([...plain, '--json']))).toBeTypeOf('object')
    }
  },
)

/** What a command prints, run in a world of its own. */
async function runInWorld(words: readonly string[]): Promise<string> {
  const world = await openCommandWorld()
  const outer = { ...process.env }
  Object.assign(process.env, world.env)
  try {
    return await runHere(await world.fill(words))
  } finally {
    for (const name of Object.keys(world.env)) delete process.env[name]
    Object.assign(process.env, outer)
    await world.close()
  }
}

/** What a command prints in this process. Rejects if it fails. */
async function runHere(words: readonly string[]): Promise<string> {
  const program = await loadProgram(words[0])
  const { log } = console
  const printed: string[] = []
  console.log = (text: string) => void printed.push(text)
  try {
    await program.parseAsync(['node', 'hookbench', ...words])
  } finally {
    console.log = log
  }
  // Nothing that an example shows fails.
  expect(process.exitCode ?? EXIT.fine, words.join(' ')).toBe(EXIT.fine)
  return printed.join('\n')
}
