import { expect, onTestFinished, test, vi } from 'vitest'
import { checkOptions, formatCheckCommand, type ConfigFlags } from '../../../contracts/cli/check-options.ts'
import { maskText, UsageError } from '../../../sandbox/internal.ts'

const URL = 'https://localhost:9443/hooks'

test.each<readonly [string, string | undefined, ConfigFlags, string]>([
  ['plain values', URL, { port: '0', settle: '20000' }, `npx hookbench check ${URL} --port 0 --settle 20000`],
  ['a URL template', 'https://a/{object_type}', {}, "npx hookbench check 'https://a/{object_type}'"],
  [
    'a configuration file',
    undefined,
    { config: 'my config.ts' },
    "npx hookbench check --config 'my config.ts'",
  ],
  [
    'effects',
    URL,
    { effects: 'http://a/{object_type}/{id}', callsBack: true },
    `npx hookbench check ${URL} --effects 'http://a/{object_type}/{id}' --calls-back`,
  ],
  ['a world', undefined, { attach: true, world: 'anna' }, 'npx hookbench check --world anna --attach'],
  [
    'a new world with receiver credentials',
    URL,
    { attach: true, world: 'new', ttl: 90_000, clientId: 'job-7', clientSecret: 'hush', apiToken: 'hush' },
    `npx hookbench check ${URL} --world new --client-id job-7 --ttl 90s --client-secret "$HOOKBENCH_CLIENT_SECRET" --api-token "$HOOKBENCH_API_TOKEN" --attach`,
  ],
  [
    'a single quote in a URL',
    "https://localhost/'",
    {},
    String.raw`npx hookbench check 'https://localhost/'\'''`,
  ],
])('formatCommand() preserves %s', (...row) => {
  const [, url, flags, command] = row

  expect(formatCheckCommand('check', url, { ...flags, mask: maskText })).toBe(command)
})

const TOKEN = '3f9c1d2ab47e8051c6d20a94e7b1358f'

test('the repeat command names the environment variables that contain secrets', async () => {
  const url = `https://localhost:9443/{object_type}/${TOKEN}?a=$b`
  const effects = `http://user:hush@localhost:3000/{object_type}/{id}?token=hush`

  const { command, caseWords } = await checkOptions(url, { effects })

  const variable = (name: string) => `\${${name}:?}`
  const [token, login, query] = ['URL_TOKEN', 'EFFECTS_TOKEN', 'EFFECTS_TOKEN_2'].map((name) =>
    variable(`HOOKBENCH_${name}`),
  )
  const words = `"https://localhost:9443/{object_type}/${token}?a=\\$b" --effects "http://${login}@localhost:3000/{object_type}/{id}?token=${query}"`
  expect([command, caseWords.command]).toEqual([
    `npx hookbench check ${words}`,
    `npx hookbench rehearse ${words}`,
  ])
  expect(caseWords.config).not.toContain(TOKEN)
})

test('flags override configuration keys', async () => {
  const flags = {
    port: '0',
    data: 'mine',
    allowTarget: ['a.test'],
    callsBack: true,
    effects: 'http://a/{object_type}/{id}',
    settle: '20000',
    seed: '7',
  }

  const { options } = await checkOptions(URL, flags)

  expect(options).toMatchObject({
    receiver: { urls: { webhooks: URL }, callsBack: true },
    service: { kind: 'own', port: 0, data: 'mine', allowTargets: ['a.test'] },
    effects: { kind: 'http', url: 'http://a/{object_type}/{id}' },
    settleMs: 20_000,
    seed: 7,
  })
})

test.each([
  [{ port: 'x' }, 'Cannot use port "x": the value must be a whole number from 0 to 65535'],
  [{ port: '65536' }, 'Cannot use port "65536"'],
  [{ settle: '5s' }, 'Cannot use settle "5s"'],
  [{ seed: '1.5' }, 'Cannot use seed "1.5"'],
  [{ effects: 'http://a/' }, '"effects.http" has no {object_type} and no {id}'],
  [{ config: 'no/such.yaml' }, 'Cannot read config "no/such.yaml": the file does not exist'],
])('the option parser rejects an invalid flag and names the flag: %j', async (flags, message) => {
  const reading = checkOptions(URL, flags)

  await expect(reading).rejects.toThrow(UsageError)
  await expect(reading).rejects.toThrow(message)
})

const SANDBOX = { attach: 'http://127.0.0.1:4099' }

async function chosenWorld(flags: ConfigFlags, variable?: string): Promise<unknown> {
  vi.stubEnv('HOOKBENCH_TOKEN', 'x')
  vi.stubEnv('HOOKBENCH_URL', 'http://127.0.0.1:4011')
  vi.stubEnv('HOOKBENCH_WORLD', variable)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { service } = (await checkOptions(URL, { data: 'mine', ...flags })).options
  return service.kind === 'own' ? 'its own sandbox' : [service.url, service.world]
}

test('the flag --world selects a world in the attached sandbox, or in the running sandbox if none is attached', async () => {
  expect(await chosenWorld({ world: 'anna', ...SANDBOX })).toEqual([SANDBOX.attach, 'anna'])
  expect(await chosenWorld({ world: 'anna' })).toEqual(['http://127.0.0.1:4011', 'anna'])
  expect(await chosenWorld(SANDBOX)).toEqual([SANDBOX.attach, undefined])
})

test('HOOKBENCH_WORLD selects the world of a running sandbox, and the flag --world overrides the variable', async () => {
  expect(await chosenWorld(SANDBOX, 'ben')).toEqual([SANDBOX.attach, 'ben'])
  expect(await chosenWorld({ world: 'anna', ...SANDBOX }, 'ben')).toEqual([SANDBOX.attach, 'anna'])
  expect(await chosenWorld({}, 'ben')).toBe('its own sandbox')
  expect(await chosenWorld({}, '')).toBe('its own sandbox')
  await expect(chosenWorld(SANDBOX, '')).rejects.toThrow(
    /^Cannot use the options: "service.world" has the value "" from HOOKBENCH_WORLD, but takes a name of 1 to 40/,
  )
})

test('flags override environment variables for the credentials of a new world', async () => {
  vi.stubEnv('HOOKBENCH_CLIENT_ID', 'of the environment')
  vi.stubEnv('HOOKBENCH_CLIENT_SECRET', 'hush')
  vi.stubEnv('HOOKBENCH_TOKEN', 'x')
  onTestFinished(() => void vi.unstubAllEnvs())

  const flags = { ...SANDBOX, world: 'new', ttl: 90_000, clientId: 'job-7' }
  const { service } = (await checkOptions(URL, flags)).options

  expect(service).toMatchObject({
    ownWorld: { lifetimeSeconds: 90, isToBeTold: false },
    credentials: { client_id: 'job-7', client_secret: 'hush' },
  })
})

test('a check run in a new world requires a receiver URL because a new world has no registrations', async () => {
  vi.stubEnv('HOOKBENCH_TOKEN', 'x')
  onTestFinished(() => void vi.unstubAllEnvs())

  await expect(checkOptions(undefined, { ...SANDBOX, world: 'new', callsBack: false })).rejects.toThrow(
    'Cannot find your receiver: a new world has no registrations. Give its URL',
  )
})
