import { expect, test } from 'vitest'
import type { ConfigContext } from '../../../contracts/config/config-context.ts'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { defaultCredentials } from '../../../sandbox/engine/core/settings.ts'
import { context, PEM } from '../support/config-context.ts'

const TEMPLATE = 'https://localhost:9443/{object_type}/3f9c'
const read = (config: object, changes: Partial<ConfigContext> = {}) =>
  createRunOptions({ receiver: { url: TEMPLATE }, ...config }, { ...context, ...changes })
const receiver = (fields: object) => read({ receiver: { url: TEMPLATE, ...fields } }).receiver

test('a configuration needs only a URL because all other keys have defaults', () => {
  expect(read({})).toEqual({
    receiver: {
      urls: { webhooks: TEMPLATE },
      ca: undefined,
      headers: {},
      callsBack: false,
      source: undefined,
    },
    service: {
      kind: 'own',
      port: 4010,
      data: '.hookbench',
      allowTargets: [],
      credentials: defaultCredentials,
    },
    effects: undefined,
    process: undefined,
    reconcile: undefined,
    budgetMs: 10_000,
    warnMs: 5_000,
    settleMs: 5_000,
    windowMs: 1_000,
    exploreMs: 5_000,
    readings: {},
    vocabulary: {},
    secret: undefined,
    consequences: {},
    knownFailures: [],
    checks: [],
    failOn: 'must',
    seed: 42,
    salt: 'salt',
  })
})

const OTHER = 'https://localhost:9443/callbacks/{object_type}'
const BY_TYPE = { items: 'https://localhost:9443/a', users: 'https://localhost:9443/b' }

test.each([
  ['a template', TEMPLATE, { webhooks: TEMPLATE }],
  ['a URL for each type', BY_TYPE, { webhooks: BY_TYPE }],
  [
    'a URL template for each generation',
    { webhooks: TEMPLATE, callbacks: OTHER },
    { webhooks: TEMPLATE, callbacks: OTHER },
  ],
  ['a URL for each object type of one generation', { callbacks: BY_TYPE }, { callbacks: BY_TYPE }],
])('receiver.url accepts %s', (_, url, urls) => {
  expect(receiver({ url }).urls).toEqual(urls)
})

test('the configuration accepts every optional key of "receiver"', () => {
  const generations = ['webhooks', 'callbacks']
  const fields = { url: TEMPLATE, ca: 'my-ca.pem', headers: { 'x-a': 'b' }, callsBack: true, generations }

  expect(read({ receiver: fields, sourceAddresses: 'x-forwarded-for' }).receiver).toEqual({
    urls: { webhooks: TEMPLATE, callbacks: TEMPLATE },
    ca: PEM,
    headers: { 'x-a': 'b' },
    callsBack: true,
    source: { kind: 'header', name: 'x-forwarded-for' },
  })
  expect(receiver({ ca: PEM }).ca).toBe(PEM)
})

const found =
  <Value>(what: Value) =>
  (data: string) =>
    data === 'mine' ? what : undefined

test.each<readonly [what: string, config: object, changes: Partial<ConfigContext>, service: object]>([
  [
    'select an attached sandbox',
    { service: { attach: 'http://127.0.0.1:4011', token: 't' } },
    {},
    { kind: 'attached', url: 'http://127.0.0.1:4011', token: 't' },
  ],
  [
    'read the token and the CA of a running sandbox from the data folder',
    { service: { attach: 'http://127.0.0.1:4011' }, data: 'mine' },
    { readToken: found('its token'), findTrustedCas: found(['its CA']) },
    { token: 'its token', trustedCas: ['its CA'] },
  ],
  [
    'find a running sandbox through the data folder',
    { service: { attach: true }, data: 'mine' },
    { findBench: (data) => ({ url: `http://bench-of-${data}`, token: 'its token' }) },
    { kind: 'attached', url: 'http://bench-of-mine', token: 'its token' },
  ],
])('the run options %s', (_, ...[config, changes, service]) => {
  expect(read(config, changes).service).toMatchObject(service)
})

test('a credential in an environment variable overrides the configuration', () => {
  const config = { credentials: { client_id: 'written', client_secret: 'written secret' } }

  expect(read(config, { credentials: { client_id: 'mine' } }).service.credentials).toEqual({
    client_id: 'mine',
    client_secret: 'written secret',
    email: 'sandbox@example.test',
    api_token: 'sandbox-token',
  })
})

const page = 'http://localhost/effects/{object_type}/{id}'

test.each<readonly ['effects' | 'reconcile', given: object, options: object]>([
  ['effects', { http: page }, { kind: 'http', url: page }],
  ['effects', { command: './effects.sh' }, { kind: 'command', command: './effects.sh' }],
  ['effects', { sink: true }, { kind: 'sink', port: 0 }],
  ['effects', { sink: 8080 }, { kind: 'sink', port: 8080 }],
  [
    'effects',
    { function: () => ({ effects: 0, state: null }) },
    { kind: 'function', read: expect.any(Function) },
  ],
  ['reconcile', { command: 'npm run reconcile' }, { kind: 'command', command: 'npm run reconcile' }],
  [
    'reconcile',
    { http: 'http://localhost:3000/reconcile' },
    { kind: 'http', url: 'http://localhost:3000/reconcile' },
  ],
])('the configuration key %s accepts %j', (key, given, options) => {
  expect(read({ [key]: given })[key]).toEqual(options)
})

const SECRET = 'a-secret-of-32-characters-or-more'

test('the configuration can set readings, vocabulary and secret, and a secret enables signatures', () => {
  const config = {
    readings: { 'retry-window': 'five-attempts', environment: 'production' },
    vocabulary: { wallet: 'purse' },
    signatureSecret: SECRET,
  }

  expect(read(config)).toMatchObject({
    readings: { ...config.readings, signature: 'hmac' },
    vocabulary: { wallet: 'purse' },
    secret: SECRET,
  })
})

test('the configuration can set times, process, consequences, checks, known failures and seed', () => {
  const consequence = { object_type: 'items', state: 'completed' }
  const config = {
    budgetMs: 2_000,
    settleMs: 1,
    windowMs: 2,
    process: { stop: 'a', start: 'b' },
    consequences: { 'card-payin': consequence, 'bpay-payin': null },
    knownFailures: ['http/answers-in-time'],
    checks: ['order', 'http/answers-in-time'],
    failOn: 'should',
    seed: 7,
  }

  expect(read(config)).toMatchObject({ ...config, warnMs: 2_000 })
})
