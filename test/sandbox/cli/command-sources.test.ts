import { expect, test } from 'vitest'
import { loadCommands, SANDBOX_COMMANDS } from '../../../sandbox/cli/command-sources.ts'

test.each(SANDBOX_COMMANDS.map((source) => [source.names.join(', '), source] as const))(
  'the file of %s has these commands and no others',
  async (_, { names, load }) => {
    const commands = await load({})

    expect(commands.map((command) => command.name()).toSorted()).toEqual(names.toSorted())
  },
)

test('only the file of the command that is called is loaded, and all where it is not known', async () => {
  const loaded: string[] = []
  const sources = SANDBOX_COMMANDS.map((source) => ({
    ...source,
    load: () => {
      loaded.push(...source.names)
      return source.load({})
    },
  }))

  await loadCommands(sources, 'job')
  expect(loaded.splice(0)).toEqual(['jobs', 'job', 'resend'])

  const all = await loadCommands(sources, 'jbos')
  expect(loaded).toHaveLength(all.length)
})
