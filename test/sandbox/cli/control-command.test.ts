import { Command } from 'commander'
import { expect, onTestFinished, test, vi } from 'vitest'
import { argument, controlCommand, controlSubcommand, option } from '../../../sandbox/cli/control-command.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { whole } from '../../../sandbox/cli/option-values.ts'
import { RefusedError } from '../../../sandbox/client/requests.ts'

/** Runs one command line of a command that gives back what it was given, in place of a reply. */
async function givenTo(...line: readonly string[]): Promise<unknown> {
  const calls: unknown[] = []
  const call = async (_: unknown, { data: __, ...given }: object & { readonly data: string }) => {
    calls.push(given)
    throw new RefusedError('This ends it')
  }
  const row = {
    description: '',
    arguments: [argument('<type>', ''), argument('[fields...]', '')],
    options: [option('--times <count>', '', whole('--times', { most: 9 }))],
    call,
    text: () => '',
  }
  const program = new Command().addCommand(controlCommand({ ...row, name: 'one' })).addCommand(
    controlCommand({
      ...row,
      arguments: [],
      name: 'many',
      subcommands: [controlSubcommand({ ...row, name: 'add' })],
    }),
  )
  await expect(program.parseAsync(['node', 'hookbench', ...line])).rejects.toThrow('This ends it')
  return calls[0]
}

test.each([
  ['one items', { type: 'items', fields: [] }],
  ['one items a=1 b=2 --times 3', { type: 'items', fields: ['a=1', 'b=2'], times: 3 }],
  ['many add items --json', { type: 'items', fields: [], json: true }],
  ['many --json add items', { type: 'items', fields: [], json: true }],
  ['many', {}],
])('a command is given its arguments and options by name: %s', async (line, given) => {
  expect(await givenTo(...line.split(' '))).toEqual(given)
})

test('a command prints the reply itself with --json', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  const reply = { jobs: [{ id: 'j1' }], older: 0 }
  const command = controlCommand({
    name: 'jobs',
    description: '',
    call: () => Promise.resolve(reply),
    text: () => 'one job',
  })

  await command.parseAsync(['node', 'jobs', '--json'])
  await command.parseAsync(['node', 'jobs'])

  expect(print.mock.calls).toEqual([[JSON.stringify(reply, null, 2)], ['one job']])
})

test('a misspelt subcommand is not taken for an argument', async () => {
  const command = controlCommand({
    name: 'many',
    description: '',
    call: () => Promise.resolve({}),
    text: () => '',
    subcommands: [new Command('add')],
  })

  await expect(command.parseAsync(['node', 'many', 'ad'])).rejects.toThrow('did you mean "many add"?')
})

test('wrong use is reported before the sandbox is looked for', async () => {
  const command = controlCommand({
    name: 'advance',
    description: '',
    call: () => {
      throw new UsageError('Cannot do that')
    },
    text: () => '',
  })

  await expect(command.parseAsync(['node', 'advance', '--data', 'nowhere'])).rejects.toThrow(UsageError)
})
