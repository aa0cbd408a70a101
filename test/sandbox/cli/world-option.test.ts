import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { listCommands, listExamples, loadProgram } from '../../support/all-commands.ts'
import { toCommandLines } from '../../support/shell-words.ts'

/** The worlds that were named, call by call, to a control API that refuses all of them. */
const named: (string | undefined)[] = []

const server = createServer((request, response) => {
  named.push(request.headers['hookbench-world']?.toString())
  const error = { code: 'not_found', message: 'Nothing is here' }
  response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const examples = await listExamples()

/** The commands that call a sandbox, each with a line that its manual shows. */
const commands = [...(await listCommands())].flatMap(([name, command]) => {
  const takers = [command, ...(command.parent ? [command.parent] : [])]
  const isTaker = takers.some(({ options }) =>
    options.some(({ long, hidden }) => long === '--world' && !hidden),
  )
  // What stands before the calls of these is in other tests.
  if (!isTaker || /^(check|rehearse|snapshot|snapshot restore)$/.test(name)) return []
  const own = examples.filter(([each]) => each === name)
  const lines = own.flatMap(([, line]) => toCommandLines(`npx hookbench ${line}`))
  const words = lines.find(
    (line) => line.join(' ').startsWith(name) && !line.some((word) => /@|--dry|--store/.test(word)),
  )
  return words ? [[name, words] as const] : []
})

/** What the command named, call by call. */
async function worldsNamedBy(words: readonly string[]): Promise<readonly (string | undefined)[]> {
  named.length = 0
  const { port } = server.address() as AddressInfo
  vi.stubEnv('HOOKBENCH_URL', `http://127.0.0.1:${port}`)
  vi.stubEnv('HOOKBENCH_TOKEN', 'x')
  onTestFinished(() => void vi.unstubAllEnvs())
  const program = await loadProgram(words[0])
  await program.parseAsync(['node', 'hookbench', ...words]).catch(() => {})
  return named
}

test('as many commands as call a sandbox are tried', () => {
  expect(commands.length).toBeGreaterThan(35)
})

test.each(commands)('each call of "%s" names the world that is given', async (_, words) => {
  const worlds = await worldsNamedBy([...words, '--world', 'anna'])

  expect([...new Set(worlds)]).toEqual(['anna'])
})

test('the environment names a world, and the option wins over it', async () => {
  vi.stubEnv('HOOKBENCH_WORLD', 'ben')

  expect([...(await worldsNamedBy(['clock']))]).toEqual(['ben'])
  expect([...(await worldsNamedBy(['clock', 'set', 'manual']))]).toEqual(['ben'])
  expect([...(await worldsNamedBy(['clock', '--world', 'anna']))]).toEqual(['anna'])
  expect([...(await worldsNamedBy(['faults', 'clear', '--world', 'default']))]).toEqual(['default'])
})

test('without either no world is named', async () => {
  expect([...(await worldsNamedBy(['clock']))]).toEqual([undefined])
})

test.each([
  ['', /^Cannot use world "": it takes .*; leave out --world and HOOKBENCH_WORLD for the default one$/],
  ['Anna', /^Cannot use world "Anna": it takes a name of 1 to 40 small letters, digits and hyphens/],
  ['-anna', /^Cannot use world "-anna"/],
  ['anna-', /^Cannot use world "anna-"/],
  ['a'.repeat(41), /^Cannot use world "a{41}"/],
  ['a/b', /^Cannot use world "a\/b"/],
])('"%s" names no world, as an option or in the environment', async (name, message) => {
  const program = await loadProgram('clock')
  const option = program.parseAsync(['node', 'hookbench', 'clock', `--world=${name}`])
  await expect(option).rejects.toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) }),
  )

  vi.stubEnv('HOOKBENCH_WORLD', name)
  onTestFinished(() => void vi.unstubAllEnvs())
  const variable = (await loadProgram('clock')).parseAsync(['node', 'hookbench', 'clock'])
  await expect(variable).rejects.toThrow(expect.objectContaining({ message: expect.stringMatching(message) }))
})

test('down ends no world alone, and passes over the one that the environment names', async () => {
  const program = await loadProgram('down')

  await expect(program.parseAsync(['node', 'hookbench', 'down', '--world', 'anna'])).rejects.toThrow(
    /^Cannot stop world "anna" alone: "down" stops the sandbox with all of its worlds; .*"npx hookbench worlds remove anna"/,
  )
  expect(
    (await listCommands()).get('down')?.options.find(({ long }) => long === '--world')?.envVar,
  ).toBeUndefined()
})
