import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { EXIT } from '../../../sandbox/cli/failure.ts'
import { manualOf } from '../../../sandbox/cli/manual.ts'
import { listCommands, listExamples, loadProgram, toCommandLines } from './all-commands.ts'
import { readPageCode } from '../../support/pages.ts'
import type { HttpMessage } from '../../../sandbox/engine/core/ports.ts'
import { listen } from '../../../sandbox/adapters/node-server.ts'
import { RECEIVER, testSandbox } from '../../support/test-sandbox.ts'

interface CommandWorld {
  readonly env: Readonly<Record<'HOOKBENCH_URL' | 'HOOKBENCH_TOKEN', string>>
  fill(words: readonly string[]): Promise<readonly string[]>
  close(): Promise<void>
}

const LATER = '2026-01-01T07:05:00.000Z'
const CRAFTED = { url: RECEIVER, body: {} }

async function openCommandWorld(): Promise<CommandWorld> {
  // The receiver accepts only test POSTs, so that there are failed deliveries to resend.
  const script = ({ body }: HttpMessage) => (Buffer.from(body).includes('"message"') ? 200 : 503)
  const sandbox = testSandbox({ serviceUrl: () => service.url, script })
  const { perform } = sandbox
  const service = await listen(sandbox.handle, { port: 0, flag: '--port' })
  const bench = await listen(sandbox.benchHandle, { port: 0, flag: '--bench-port' })
  await perform('advanceClock', { body: { to: LATER } })
  const create = async (type: string) => (await perform('createObject', { path: { type }, body: {} })).id

  async function job(): Promise<string> {
    await sandbox.register()
    await create('items')
    await sandbox.idle()
    return (await perform('listJobs')).jobs.at(-1)?.id ?? ''
  }

  const makers: ReadonlyMap<string, () => Promise<string>> = new Map([
    ['ITEM', () => create('items')],
    ['USER', () => create('users')],
    ['JOB', job],
    ['REGISTRATION', sandbox.register],
    [
      'PAYMENT',
      async () => (await perform('playPayment', { body: { kind: 'bpay-payout', pace: 'stepwise' } })).id,
    ],
    ['FAULT', async () => (await perform('addFault', { body: { on: 'delivery', kind: 'drop' } })).id],
    ['DELIVERY', async () => (await perform('craftDelivery', { body: CRAFTED })).id],
  ])

  return {
    env: { HOOKBENCH_URL: bench.url, HOOKBENCH_TOKEN: 'bench-token' },
    fill: (words) => Promise.all(words.map(async (word) => (await makers.get(word)?.()) ?? word)),
    async close() {
      await Promise.all([service.close(0), bench.close(0)])
      await sandbox.close()
    },
  }
}

const commands = await listCommands()
const examples = (await listExamples()).map(([name, line]) => [name, `npx hookbench ${line}`] as const)

test('every command has a manual page', () => {
  const bare = [...commands].filter(([, command]) => !manualOf(command))

  expect(bare.map(([name]) => name)).toEqual([])
})

test('the "see also" section of a manual page names existing commands', () => {
  const named = [...commands.values()].flatMap((command) => manualOf(command)?.seeAlso ?? [])

  expect(named.filter((name) => !commands.has(name))).toEqual([])
})

test('the commands page has exactly the examples of the manual pages', () => {
  const page = readPageCode(new URL('../../../docs/reference/commands.md', import.meta.url))
  const lines = page
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))

  expect(lines.filter((line) => !line.startsWith('#')).toSorted()).toEqual(
    examples.map(([, line]) => line).toSorted(),
  )
})

test('every example in a manual page is a valid command line', async () => {
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

/** Commands that other tests cover, because these commands start programs, write files, or need a data folder or a terminal. */
const ELSEWHERE =
  /^(up|demo|down|ready|doctor|events|snapshot|worlds|cert|init|check|rehearse|load|generate|completion|help)\b/
const HAS_FILE = /@[\w-]+\.json/

test.each(examples.filter(([name, line]) => !ELSEWHERE.test(name) && !HAS_FILE.test(line)))(
  'an example of "%s" prints text, and JSON with --json: %s',
  async (_, line) => {
    for (const words of toCommandLines(line)) {
      const plain = words.filter((word) => word !== '--json')
      expect(await runInWorld(plain)).not.toBe('')
      expect(JSON.parse(await runInWorld([...plain, '--json']))).toBeTypeOf('object')
    }
  },
)

test('the option --json works before the name of a subcommand', async () => {
  const printed = await runInWorld(['faults', '--json', 'add', 'delivery', 'drop'])

  expect(JSON.parse(printed)).toMatchObject({ kind: 'drop' })
})

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
  expect(process.exitCode ?? EXIT.fine, words.join(' ')).toBe(EXIT.fine)
  return printed.join('\n')
}
