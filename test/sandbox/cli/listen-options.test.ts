import { expect, test } from 'vitest'
import {
  requireStrongToken,
  resolveListening,
  type ListenFlags,
} from '../../../sandbox/cli/listen-options.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'

const TOKEN = '6f1c0de4b7a95823d0e1f4a7c3b29865'
const OWN = {
  ...defaultCredentials,
  client_secret: '2881ea3df10fc2446f9eddce9ec2cf18',
  api_token: '2b50a2354162e37e1b0a91ba680a6576',
}
const SAFE = {
  token: TOKEN,
  credentials: OWN,
  typed: ['up', '--listen', '0.0.0.0', '--allowed-host', 'hookbench'],
}

interface Protection {
  readonly token?: string | undefined
  readonly credentials?: typeof OWN
  readonly typed?: readonly string[]
}

const resolve = (flags: ListenFlags, config = {}, protection: Protection = {}) =>
  resolveListening(flags, config, { ...SAFE, ...protection })

test('a sandbox listens on loopback by default', () => {
  expect(resolve({})).toBeUndefined()
})

test('a sandbox listens on the specified address when host name, token and credentials are set', () => {
  const flags = { listen: '0.0.0.0', allowedHost: ['HookBench', 'hookbench:5011', 'hookbench'] }

  expect(resolve(flags)).toEqual({ address: '0.0.0.0', allowedHosts: ['hookbench', 'hookbench:5011'] })
})

test('options override the listen address of the configuration and add host names', () => {
  const config = { listen: '0.0.0.0', allowedHosts: ['hookbench'] }

  expect(resolve({}, config)).toEqual({ address: '0.0.0.0', allowedHosts: ['hookbench'] })
  expect(resolve({ listen: '10.0.0.5', allowedHost: ['bench.example'] }, config)).toEqual({
    address: '10.0.0.5',
    allowedHosts: ['hookbench', 'bench.example'],
  })
})

const HERE = { listen: '0.0.0.0', allowedHost: ['hookbench'] }
const COMMAND = 'npx hookbench up --listen 0.0.0.0 --allowed-host hookbench'

test.each<[string, Partial<typeof OWN> & { token?: string }, string, string]>([
  ['a short token', { token: TOKEN.slice(1) }, 'token of the bench has only 31 characters', 'TOKEN'],
  [
    'the example token of the documentation',
    { token: 'change-me-'.repeat(4) },
    'token of the bench is easy to guess',
    'TOKEN',
  ],
  [
    'a token with few distinct characters',
    { token: 'abc'.repeat(12) },
    'token of the bench is easy to guess',
    'TOKEN',
  ],
  ['a token with a line break', { token: `${TOKEN}\n` }, 'characters that a header cannot contain', 'TOKEN'],
  [
    'the default secret',
    { client_secret: defaultCredentials.client_secret },
    'is the default value in',
    'CLIENT_SECRET',
  ],
  [
    'the control token as the client secret',
    { client_secret: TOKEN },
    'is also the token of the bench',
    'CLIENT_SECRET',
  ],
  ['the control token as the API token', { api_token: TOKEN }, 'is also the token of the bench', 'API_TOKEN'],
])('a public listener is rejected with %s', (...[, { token = TOKEN, ...own }, problem, variable]) => {
  const start = () => resolve(HERE, {}, { token, credentials: { ...OWN, ...own } })

  expect(start).toThrow(`Cannot listen on 0.0.0.0, which other machines can reach: the `)
  expect(start).toThrow(problem)
  expect(start).toThrow(`Type: export HOOKBENCH_${variable}=$(openssl rand -hex 32); ${COMMAND}`)
})

test('a public listener without a token is rejected', () => {
  expect(() => resolve(HERE, {}, { token: undefined })).toThrow('the token of the bench is missing')
})

test('a public listener is rejected with one command that sets all missing values and shows no secret', () => {
  const secrets = ['--token', 'my-own-token', '--client-secret=of-my-own']
  const typed = ['up', '--listen=::', '--memory', ...secrets, '--data', 'my data']
  const credentials = { ...OWN, api_token: 'mine' }
  const start = () => resolve({ listen: '::' }, {}, { token: 'my-own-token', credentials, typed })

  expect(start).toThrow(
    '--allowed-host is missing, the name that other machines use for the sandbox; the token of the bench has only 12',
  )
  expect(start).toThrow(
    "Type: export HOOKBENCH_TOKEN=$(openssl rand -hex 32); export HOOKBENCH_API_TOKEN=$(openssl rand -hex 32); npx hookbench up --listen=:: --memory --client-secret CLIENT_SECRET --data 'my data' --allowed-host NAME",
  )
  expect(start).not.toThrow(/my-own-token|of-my-own/)
})

test('a short token is rejected on loopback with the fix and without the token', () => {
  const start = () => requireStrongToken('mine')

  expect(start).toThrow('--token or HOOKBENCH_TOKEN: the token has only 4 characters, and needs at least 32')
  expect(start).toThrow(
    'Omit the token, so that the sandbox generates one, or generate a token with "openssl rand -hex 32"',
  )
  expect(start).not.toThrow('mine')
})

test('an unguessable or omitted token is accepted', () => {
  for (const token of [TOKEN, undefined]) expect(() => requireStrongToken(token)).not.toThrow()
})

test('a public listener without HTTPS is rejected', () => {
  expect(() => resolve(HERE, { https: false })).toThrow('Cannot listen on 0.0.0.0 with "https" false')
})

test('an allowed host name is rejected when no listen address is set', () => {
  expect(() => resolve({ allowedHost: ['hookbench'] })).toThrow(
    'Cannot allow host "hookbench": a sandbox on loopback accepts only calls to loopback names',
  )
})

test.each(['hookbench', '', '*', '10.0.0.5:4010', '0x7f.1', 'fe80::1%eth0', 'http://0.0.0.0'])(
  'the listen address "%s" is rejected',
  (listen) => {
    expect(() => resolve({ ...HERE, listen })).toThrow(
      `Cannot listen on "${listen}": the value must be an IP address`,
    )
  },
)

test.each([
  ['::ffff:10.0.0.5', '10.0.0.5'],
  ['::ffff:0.0.0.0', '0.0.0.0'],
  ['[::ffff:0:0]', '0.0.0.0'],
  ['FD00:0:0::5', 'fd00::5'],
  ['[::]', '::'],
])('the listen address %s is read as %s', (listen, address) => {
  expect(resolve({ ...HERE, listen })?.address).toBe(address)
})

test.each([
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['my_service', 'my_service'],
  ['10.0.0.5', '10.0.0.5'],
  ['fd00::5', '[fd00::5]'],
  ['[FD00::5]:4011', '[fd00::5]:4011'],
  ['localhost:05011', 'localhost:5011'],
])('the host name %s is read as %s', (allowed, host) => {
  expect(resolve({ ...HERE, allowedHost: [allowed] })?.allowedHosts).toEqual([host])
})

test.each([
  '',
  '*',
  '*.example',
  'a b',
  'https://a.example',
  'a.example/',
  'me@a.example',
  'a.example:0',
  'a.example:70000',
  'a..example',
  '0.0.0.0',
  '::ffff:0.0.0.0',
  '[::ffff:0:0]:4011',
  '::',
  '[::]:4011',
  '0x7f.1',
  '127.1',
  'a.example:x',
  '-a',
  '%31',
])('the host name "%s" is rejected', (allowed) => {
  expect(() => resolve({ ...HERE, allowedHost: [allowed] })).toThrow(
    `Cannot allow host "${allowed}": the value must be a name`,
  )
})
