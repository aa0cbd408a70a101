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

test('a sandbox listens on loopback by default with any other options', () => {
  expect(resolve({})).toBeUndefined()
})

test('a sandbox listens on a given address with a name, a token and credentials', () => {
  const flags = { listen: '0.0.0.0', allowedHost: ['HookBench', 'hookbench:5011', 'hookbench'] }

  expect(resolve(flags)).toEqual({ address: '0.0.0.0', allowedHosts: ['hookbench', 'hookbench:5011'] })
})

test('a configuration can set the listener, and options override its address and add names', () => {
  const config = { listen: '0.0.0.0', allowedHosts: ['hookbench'] }

  expect(resolve({}, config)).toEqual({ address: '0.0.0.0', allowedHosts: ['hookbench'] })
  expect(resolve({ listen: '10.0.0.5', allowedHost: ['bench.example'] }, config)).toEqual({
    address: '10.0.0.5',
    allowedHosts: ['hookbench', 'bench.example'],
  })
})

const HERE = { listen: '0.0.0.0', allowedHost: ['hookbench'] }
const COMMAND = 'npx hookbench up --listen 0.0.0.0 --allowed-host hookbench'

test.each([
  ['no token', { token: undefined }, 'the token of the bench is missing', 'HOOKBENCH_TOKEN'],
  [
    'a short token',
    { token: TOKEN.slice(1) },
    'the token of the bench has 31 characters, of at least 32',
    'HOOKBENCH_TOKEN',
  ],
  [
    'a token of an example',
    { token: 'change-me-change-me-change-me-change-me' },
    'the token of the bench is easy to guess',
    'HOOKBENCH_TOKEN',
  ],
  [
    'a token of few characters',
    { token: 'abcabcabcabcabcabcabcabcabcabcabcabc' },
    'the token of the bench is easy to guess',
    'HOOKBENCH_TOKEN',
  ],
  [
    'a token that no header holds',
    { token: `${TOKEN}\n` },
    'the token of the bench has characters that a header cannot hold',
    'HOOKBENCH_TOKEN',
  ],
  [
    'the secret of everybody',
    { credentials: { ...OWN, client_secret: defaultCredentials.client_secret } },
    'the client secret is the default of every sandbox',
    'HOOKBENCH_CLIENT_SECRET',
  ],
  [
    'the token as its secret',
    { credentials: { ...OWN, client_secret: TOKEN } },
    'the client secret is also the token of the bench',
    'HOOKBENCH_CLIENT_SECRET',
  ],
  [
    'the token as its API token',
    { credentials: { ...OWN, api_token: TOKEN } },
    'the API token is also the token of the bench',
    'HOOKBENCH_API_TOKEN',
  ],
])(
  'with %s it does not listen beyond loopback, and names the missing option',
  (...[_, protection, problem, variable]) => {
    const start = () => resolve(HERE, {}, protection)

    expect(start).toThrow(`Cannot listen on 0.0.0.0, where others can reach it: ${problem}`)
    expect(start).toThrow(`Type: export ${variable}=$(openssl rand -hex 32); ${COMMAND}`)
  },
)

test('everything missing is listed at once with one complete command and no secret', () => {
  const start = () =>
    resolve(
      { listen: '::' },
      {},
      {
        token: 'my-own-token',
        credentials: { ...OWN, api_token: 'mine' },
        typed: [
          'up',
          '--listen=::',
          '--memory',
          '--token',
          'my-own-token',
          '--client-secret=of-my-own',
          '--data',
          'my data',
        ],
      },
    )

  expect(start).toThrow(
    "Cannot listen on ::, where others can reach it: --allowed-host is missing, the name that others call it by; the token of the bench has 12 characters, of at least 32; the API token has 4 characters, of at least 32. Type: export HOOKBENCH_TOKEN=$(openssl rand -hex 32); export HOOKBENCH_API_TOKEN=$(openssl rand -hex 32); npx hookbench up --listen=:: --memory --client-secret CLIENT_SECRET --data 'my data' --allowed-host NAME",
  )
  expect(start).not.toThrow(/my-own-token|of-my-own/)
})

test.each([['mine', 'has 4 characters, of at least 32']])(
  'the token "%s" is rejected on loopback with the fix and without the token',
  (token, why) => {
    const start = () => requireStrongToken(token)

    expect(start).toThrow(`--token or HOOKBENCH_TOKEN: it ${why}`)
    expect(start).toThrow('Leave it out for a fresh one, or make one with "openssl rand -hex 32"')
    expect(start).not.toThrow(token)
  },
)

test('an unguessable or omitted token is accepted', () => {
  for (const token of [TOKEN, undefined]) expect(() => requireStrongToken(token)).not.toThrow()
})

test('public listeners require HTTPS, so "https": false is rejected', () => {
  expect(() => resolve(HERE, { https: false })).toThrow('Cannot listen on 0.0.0.0 with "https" false')
})

test('a host name without an address to listen on is rejected', () => {
  expect(() => resolve({ allowedHost: ['hookbench'] })).toThrow(
    'Cannot allow host "hookbench": a sandbox on loopback accepts no other name',
  )
})

test.each(['hookbench', '', '*', '10.0.0.5:4010', '0x7f.1', 'fe80::1%eth0', 'http://0.0.0.0'])(
  'the sandbox rejects "%s", which is not an address to listen on',
  (listen) => {
    expect(() => resolve({ ...HERE, listen })).toThrow(`Cannot listen on "${listen}": it takes an IP address`)
  },
)

test.each([
  ['::ffff:10.0.0.5', '10.0.0.5'],
  ['::ffff:0.0.0.0', '0.0.0.0'],
  ['[::ffff:0:0]', '0.0.0.0'],
  ['FD00:0:0::5', 'fd00::5'],
  ['[::]', '::'],
])('the address %s is written as %s', (listen, address) => {
  expect(resolve({ ...HERE, listen })?.address).toBe(address)
})

test.each([
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['my_service', 'my_service'],
  ['10.0.0.5', '10.0.0.5'],
  ['fd00::5', '[fd00::5]'],
  ['[FD00::5]:4011', '[fd00::5]:4011'],
  ['localhost:05011', 'localhost:5011'],
])('the name %s is allowed as %s', (allowed, host) => {
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
])('the name "%s" is refused', (allowed) => {
  expect(() => resolve({ ...HERE, allowedHost: [allowed] })).toThrow(
    `Cannot allow host "${allowed}": it takes a name`,
  )
})
