import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { listCommands, listExamples, loadProgram, toCommandLines } from './all-commands.ts'
import { worldRecord } from '../../support/control-records.ts'
import { serveHttp } from '../../support/scripted-server.ts'
import { findCredentials } from '../../../sandbox/cli/credential-options.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { RefusedError } from '../../../sandbox/client/requests.ts'
import type { Perform } from '../../../sandbox/compose/perform.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'

/** The names of the worlds in the received calls. The fake control API rejects all calls. */
const named: (string | undefined)[] = []

const server = await serveHttp((request, response) => {
  named.push(request.headers['hookbench-world']?.toString())
  const error = { code: 'not_found', message: 'Nothing is here' }
  response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
})

afterAll(() => server.close())

const examples = await listExamples()

/** The commands that call a sandbox, each with an example from its help. */
const commands = [...(await listCommands())].flatMap(([name, command]) => {
  const takers = [command, ...(command.parent ? [command.parent] : [])]
  const isTaker = takers.some(({ options }) =>
    options.some(({ long, hidden }) => long === '--world' && !hidden),
  )
  // Skips commands that other tests cover.
  if (!isTaker || /^(check|rehearse|snapshot|snapshot restore)$/.test(name)) return []
  const own = examples.filter(([each]) => each === name)
  const lines = own.flatMap(([, line]) => toCommandLines(`npx hookbench ${line}`))
  const words = lines.find(
    (line) => line.join(' ').startsWith(name) && !line.some((word) => /@|--dry|--store/.test(word)),
  )
  return words ? [[name, words] as const] : []
})

async function worldsNamedBy(words: readonly string[]): Promise<readonly (string | undefined)[]> {
  named.length = 0
  vi.stubEnv('HOOKBENCH_URL', server.origin)
  vi.stubEnv('HOOKBENCH_TOKEN', 'x')
  onTestFinished(() => void vi.unstubAllEnvs())
  const program = await loadProgram(words[0])
  await program.parseAsync(['node', 'hookbench', ...words]).catch(() => {})
  return named
}

test('the tests of --world cover every command that calls a sandbox', () => {
  expect(commands.length).toBeGreaterThan(35)
})

test.each(commands)('every call of "%s" names the specified world', async (_, words) => {
  const worlds = await worldsNamedBy([...words, '--world', 'anna'])

  expect([...new Set(worlds)]).toEqual(['anna'])
})

test('the flag --world overrides the variable HOOKBENCH_WORLD', async () => {
  vi.stubEnv('HOOKBENCH_WORLD', 'ben')

  expect([...(await worldsNamedBy(['clock']))]).toEqual(['ben'])
  expect([...(await worldsNamedBy(['clock', 'set', 'manual']))]).toEqual(['ben'])
  expect([...(await worldsNamedBy(['clock', '--world', 'anna']))]).toEqual(['anna'])
  expect([...(await worldsNamedBy(['faults', 'clear', '--world', 'default']))]).toEqual(['default'])
})

test('a call names no world when neither flag nor environment variable is set', async () => {
  expect([...(await worldsNamedBy(['clock']))]).toEqual([undefined])
})

test.each([
  [
    '',
    /^Cannot use world "": the value must be .*\. Omit --world and HOOKBENCH_WORLD for the default world$/,
  ],
  [
    'Anna',
    /^Cannot use world "Anna": the value must be a name of 1 to 40 lower-case letters, digits and hyphens/,
  ],
  ['a'.repeat(41), /^Cannot use world "a{41}"/],
  ['a/b', /^Cannot use world "a\/b"/],
])('the world name "%s" is rejected as an option and in the environment', async (name, message) => {
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

test('the command "down" rejects --world and ignores the world in the environment variable', async () => {
  const program = await loadProgram('down')

  await expect(program.parseAsync(['node', 'hookbench', 'down', '--world', 'anna'])).rejects.toThrow(
    /^Cannot stop world "anna" alone: "down" stops the sandbox with all its worlds\. .*"npx hookbench worlds remove anna"/,
  )
  expect(
    (await listCommands()).get('down')?.options.find(({ long }) => long === '--world')?.envVar,
  ).toBeUndefined()
})

const toOwn = (name: string) => worldRecord(name).credentials

/** A sandbox whose token allows access to the worlds in `names`. Counts the calls. */
function sandboxWith(...names: readonly string[]) {
  let asked = 0
  const perform = (async (id: string, input?: { path: { name: string } }) => {
    asked++
    if (id === 'listWorlds') return { worlds: names.map((name) => ({ name })) }
    const name = input?.path.name ?? ''
    return { name, access: { control_token: 'x', ...toOwn(name) } }
  }) as unknown as Perform
  return { perform, asked: () => asked }
}

test('findCredentials() returns the credentials of the named world', async () => {
  const { perform } = sandboxWith('default', 'anna')

  expect(await findCredentials({ world: 'anna' }, perform)).toEqual(toOwn('anna'))
})

test('findCredentials() without a world returns credentials of the default or the only visible world', async () => {
  expect(await findCredentials({}, sandboxWith('default', 'anna').perform)).toEqual(toOwn('default'))
  expect(await findCredentials({}, sandboxWith('anna').perform)).toEqual(toOwn('anna'))
})

test('findCredentials() adds the secret of the world when only its client ID is configured', async () => {
  const { perform } = sandboxWith('default')

  expect(await findCredentials({ clientId: 'client-default' }, perform)).toEqual(toOwn('default'))
  expect(await findCredentials({ clientId: 'mine' }, perform)).toMatchObject({
    client_id: 'mine',
    client_secret: defaultCredentials.client_secret,
  })
})

test('findCredentials() rejects a client that does not belong to the named world', async () => {
  const { perform } = sandboxWith('default', 'anna')
  const given = { world: 'anna', clientId: 'client-ben', clientSecret: 'hush' }

  await expect(findCredentials(given, perform)).rejects.toThrow(UsageError)
  await expect(findCredentials(given, perform)).rejects.toThrow(
    /^Cannot call the service for world "anna" as client "client-ben": this client belongs to another world/,
  )
})

test('findCredentials() uses default credentials when worlds are hidden, unless a world is named', async () => {
  const refuse: Perform = async () => {
    throw new RefusedError('Cannot do this here')
  }

  expect(await findCredentials({}, refuse)).toEqual(defaultCredentials)
  await expect(findCredentials({ world: 'anna' }, refuse)).rejects.toThrow(RefusedError)
})
