import { expect, test } from 'vitest'
import { readConfig } from '../../../sandbox/cli/config.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { upOptions } from '../../../sandbox/cli/up-options.ts'
import { DEFAULT_DATA_FOLDER } from '../../../sandbox/engine/core/command-line.ts'
import { FASTEST } from '../../../sandbox/engine/core/ports.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'
import { CONFIG_DEFAULTS, CONFIG_SCHEMAS } from '../../../spec/generated/config-schemas.ts'
import { milliseconds, whole } from '../../../sandbox/cli/option-values.ts'
import { environmentCredentials } from '../../../sandbox/cli/credential-options.ts'
import { temporaryFile } from '../../support/temporary-folder.ts'

const json = (config: unknown) => temporaryFile('config.json', JSON.stringify(config))

const WHOLE = {
  port: 65_535,
  benchPort: 0,
  data: 'mine',
  memory: true,
  https: false,
  speed: 1_000_000,
  seed: 4_294_967_295,
  allowTargets: ['a.test', '10.0.0.0/8'],
  readings: { 'retry-body': 'current' },
  credentials: { email: 'a@b.test' },
}

test('readConfig() reads every option from each supported file type', async () => {
  const text = JSON.stringify(WHOLE)

  const read = await Promise.all([
    readConfig(json(WHOLE)),
    readConfig(temporaryFile('config.yaml', text)),
    readConfig(temporaryFile('config.js', `export default ${text}`)),
    readConfig(temporaryFile('config.ts', `const config: object = ${text}\nexport default config`)),
  ])

  expect(read).toEqual([WHOLE, WHOLE, WHOLE, WHOLE])
})

test('readConfig() accepts a file with check settings and a schema line for editors', async () => {
  const config = {
    $schema: './node_modules/hookbench/spec/generated/config.schema.json',
    port: 4020,
    receiver: { headers: { a: 'b' } },
    effects: { sink: true },
    knownFailures: [],
  }

  expect(await readConfig(json(config))).toEqual(config)
  expect(await readConfig(temporaryFile('schema.yaml', JSON.stringify(config)))).toEqual(config)
})

test('readConfig() ignores an effects function and rejects any other function', async () => {
  const text = 'export default { port: 1, effects: { function: () => ({ effects: 0 }) } }'
  const code = temporaryFile('function.js', text)

  expect(await readConfig(code)).toEqual({ port: 1 })
  await expect(readConfig(json({ effects: { function: './effects.ts' } }))).rejects.toThrow(
    '"effects.function" takes a function, which only a configuration in TypeScript or JavaScript can contain',
  )
})

test.each([
  [{ speed: 0 }, '"speed" takes a number above 0, at most 1000000, not 0'],
  [{ clock: 'manual', speed: 300 }, '"clock" cannot be used with "speed"'],
  [{ readings: { 'retry-body': 1 } }, '"readings.retry-body" takes "snapshot" or "current", not 1'],
  [{ vocabulary: { A: 'b' } }, '"vocabulary" is rejected'],
  [{ credentials: { clientid: 'x' } }, 'Did you mean "credentials.client_id"?'],
  [{ bench_port: 1, window: 5 }, /Did you mean "benchPort"\?; "window" .* "windowMs"\?/],
  [{ zilch: 1 }, '"zilch" is not a key of the configuration. The keys here are $schema, port, benchPort'],
  [[], 'the value must be an object of options'],
])('readConfig() rejects %j', async (config, message) => {
  await expect(readConfig(json(config))).rejects.toThrow(UsageError)
  await expect(readConfig(json(config))).rejects.toThrow(message)
})

test.each([
  ['config.json', '{'],
  ['config.yaml', 'a: [1'],
  ['config.toml', 'port = 1'],
])('readConfig() rejects %s with %j and names the file', async (name, text) => {
  const file = temporaryFile(name, text)

  await expect(readConfig(file)).rejects.toThrow(`Cannot read config "${file}"`)
})

test('readConfig() rejects a missing file', async () => {
  await expect(readConfig('nope.json')).rejects.toThrow(
    'Cannot read config "nope.json": the file does not exist',
  )
})

test('the schema of the configuration has the defaults of the sandbox', () => {
  const { ConfigFile: file, ServiceCredentials: credentials } = CONFIG_SCHEMAS
  const properties = Object.entries(credentials?.properties ?? {})

  expect(CONFIG_DEFAULTS.data).toBe(DEFAULT_DATA_FOLDER)
  expect(file?.properties?.['speed']?.maximum).toBe(FASTEST)
  expect(Object.fromEntries(properties.map(([name, schema]) => [name, schema.default]))).toEqual(
    defaultCredentials,
  )
})

test('upOptions() returns defaults that a command can override', async () => {
  const ports = { port: 4010, benchPort: 4011 }

  expect(await upOptions({})).toMatchObject({ ...ports, data: '.hookbench', memory: false, https: false })
  expect(await upOptions({}, { speed: 300, data: 'demo' })).toMatchObject({
    ...ports,
    speed: 300,
    data: 'demo',
  })
})

test('upOptions() rejects a source address setting that is not a valid header name', async () => {
  await expect(upOptions({ sourceAddresses: 'a b' })).rejects.toThrow(
    'Cannot use source addresses "a b": the value must be "loopback" or the name of a header',
  )
})

test('upOptions() takes values from the configuration when flags omit the values', async () => {
  const { benchPort, allowTargets, readings, credentials, ...rest } = WHOLE

  expect(await upOptions({ config: json(WHOLE) })).toMatchObject({
    ...rest,
    benchPort: benchPort,
    allowTargets: allowTargets,
    settings: { readings, credentials: { ...defaultCredentials, ...credentials } },
  })
})

test('upOptions() uses flag values instead of configuration values', async () => {
  const said = { port: 1, benchPort: 2, data: 'other', memory: false, https: true, speed: 2, seed: 3 }
  const flags = {
    ...said,
    allowTarget: ['b.test'],
    reading: ['retry-body=snapshot'],
    email: 'flag@b.test',
  }

  expect(await upOptions({ ...flags, config: json(WHOLE) })).toMatchObject({
    ...said,
    allowTargets: ['a.test', '10.0.0.0/8', 'b.test'],
    settings: { readings: { 'retry-body': 'snapshot' }, credentials: { email: 'flag@b.test' } },
  })
})

test.each([
  [{ clock: 'manual' }, 0],
  [{ clock: 'real' }, 1],
  [{ speed: 60 }, 60],
] as const)('upOptions() reads %j as speed %i', async (flags, speed) => {
  expect((await upOptions(flags, { speed: 300 })).speed).toBe(speed)
  expect((await upOptions({ config: json(flags) }, { speed: 300 })).speed).toBe(speed)
})

test.each(['nope', '=current', 'nope=1'])('upOptions() rejects the reading "%s"', async (reading) => {
  await expect(upOptions({ reading: [reading] })).rejects.toThrow(/^Cannot .* reading "/)
})

test.each([
  ['200', 1, 200],
  ['2s', 1, 2_000],
  ['0.5', 1_000, 500],
  ['1m30s', 1_000, 90_000],
])('milliseconds() parses %s with a default unit of %i ms as %i ms', (text, bareMs, durationMs) => {
  expect(milliseconds('--timeout', bareMs)(text)).toBe(durationMs)
})

test.each(['', 'soon', '-1', '1e9', '9'.repeat(30)])('milliseconds() rejects "%s"', (text) => {
  expect(() => milliseconds('--timeout', 1)(text)).toThrow(UsageError)
})

test('whole() accepts only whole numbers in its range', () => {
  const read = whole('--times', { least: 1, most: 10 })

  expect(['1', '10'].map(read)).toEqual([1, 10])
  for (const text of ['0', '11', '', '1.5', '-1', '1e0', 'x']) {
    expect(() => read(text)).toThrow(
      `Cannot use --times "${text}": the value must be a whole number from 1 to 10`,
    )
  }
})

test('environmentCredentials() reads the credentials from the environment variables', () => {
  const environment = {
    HOOKBENCH_CLIENT_ID: 'mine',
    HOOKBENCH_API_TOKEN: 'token',
    HOOKBENCH_TOKEN: 'the bench',
  }

  expect(environmentCredentials(environment)).toEqual({ client_id: 'mine', api_token: 'token' })
})

test('environmentCredentials() rejects an empty credential and names the credential', () => {
  expect(() => environmentCredentials({ HOOKBENCH_EMAIL: '' })).toThrow('Cannot use an empty email')
})
