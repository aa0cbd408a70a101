import { expect, test } from 'vitest'
import { runOptionsOf } from '../../../contracts/config/run-options.ts'
import { context } from '../support/config-context.ts'
import { UsageError } from '../../../sandbox/internal.ts'

const TEMPLATE = 'https://localhost:9443/{object_type}/3f9c'
const page = 'http://localhost/effects/{object_type}/{id}'
const read = (config: object) => runOptionsOf({ receiver: { url: TEMPLATE }, ...config }, context)
const receiving = (fields: object) => ({ receiver: { url: TEMPLATE, ...fields } })

test.each<readonly [string, object]>([
  ['"efects" is no key of the configuration; did you mean "effects"?', { efects: {} }],
  [
    '"receiver.callBack" is no key of the configuration; did you mean "receiver.callsBack"?',
    receiving({ callBack: true }),
  ],
  ['"receiver.url" is missing', { receiver: {} }],
  ['"receiver.url" is missing', { receiver: undefined }],
  ['"receiver" takes an object with url', { receiver: 'https://localhost' }],
  [
    '"receiver.url" has no {object_type}: put it where the type stands',
    { receiver: { url: 'https://localhost/hooks' } },
  ],
  [
    '"receiver.url" has {type}, which stands for nothing',
    { receiver: { url: 'https://localhost/{object_type}/{type}' } },
  ],
  [
    '"receiver.url" takes an HTTPS URL, not "http://',
    { receiver: { url: 'http://localhost/{object_type}' } },
  ],
  ['"receiver.url" takes an absolute HTTPS URL', { receiver: { url: '/{object_type}' } }],
  ['"receiver.url" takes text, not 5', { receiver: { url: 5 } }],
  ['"receiver.url" names no URL', { receiver: { url: {} } }],
  [
    '"receiver.url.item" is no key of the configuration; did you mean "receiver.url.items"?',
    { receiver: { url: { item: TEMPLATE } } },
  ],
  [
    '"receiver.url.webhooks" has no {object_type}',
    { receiver: { url: { webhooks: 'https://localhost/hooks' } } },
  ],
  ['"receiver.ca" takes a PEM file: "no.pem" cannot be read', receiving({ ca: 'no.pem' })],
  ['"receiver.ca" takes a PEM file: "empty.pem" has no certificate', receiving({ ca: 'empty.pem' })],
  ['"receiver.headers" has "a b", which is no header', receiving({ headers: { 'a b': 'c' } })],
  ['"receiver.headers" has "a", which is no header', receiving({ headers: { a: 'b\nc' } })],
  ['"receiver.callsBack" takes true or false, not "yes"', receiving({ callsBack: 'yes' })],
  [
    '"receiver.sourceAddresses" is refused: Cannot use source addresses "a b"',
    receiving({ sourceAddresses: 'a b' }),
  ],
  ['"service.port" takes a whole number from 0 to 65535, not 65536', { service: { port: 65_536 } }],
  ['"port" takes a whole number from 0 to 65535, not -1', { port: -1 }],
  ['"service.attach" takes the bench\'s address', { service: { attach: '4011', token: 't' } }],
  [
    '"service.token" is missing: the token that "npx hookbench up" prints',
    { service: { attach: 'http://127.0.0.1:4011' } },
  ],
  ['"service.token" goes with "service.attach"', { service: { token: 't' } }],
  [
    '"service.port" cannot be used with "service.attach"',
    { service: { attach: 'http://a', token: 't', port: 1 } },
  ],
  ['"effects" takes one of http, command, function, sink', { effects: {} }],
  ['"effects" takes one of http, command, function, sink', { effects: { http: page, sink: true } }],
  [
    '"effects.htpp" is no key of the configuration; did you mean "effects.http"?',
    { effects: { htpp: page } },
  ],
  ['"effects.http" has no {id}', { effects: { http: 'http://localhost/{object_type}' } }],
  ['"effects.http" has no {object_type} and no {id}', { effects: { http: 'http://localhost/' } }],
  ['"effects.http" takes an absolute URL', { effects: { http: '/{object_type}/{id}' } }],
  ['"effects.function" takes a function', { effects: { function: 'f' } }],
  ['"effects.sink" takes a whole number', { effects: { sink: 'yes' } }],
  ['"process.start" is missing', { process: { stop: 'a' } }],
  ['"budgetMs" takes a whole number from 1 to 600000, not "5"', { budgetMs: '5' }],
  ['"window" takes a whole number', { window: 0 }],
  ['"warnMs" is more than "budgetMs", which is 1000', { budgetMs: 1_000, warnMs: 2_000 }],
  [
    '"profile.readings" is refused: Cannot set reading "environment" to "prod"',
    { profile: { environment: 'prod' } },
  ],
  ['"profile.readings" is refused: Cannot set reading "nope"', { profile: { readings: { nope: 'a' } } }],
  [
    '"profile.generations" takes a list of "webhooks" and "callbacks"',
    { profile: { generations: ['hooks'] } },
  ],
  ['"profile.generations" takes a list', { profile: { generations: [] } }],
  [
    '"profile.vocabulary" is refused: Cannot use vocabulary word "A"',
    { profile: { vocabulary: { A: 'b' } } },
  ],
  ['"vocabulary" is refused', { vocabulary: { A: 'b' } }],
  ['"profile.secret" is missing', { profile: { signature: 'hmac' } }],
  ['"profile.secret" is missing', { readings: { signature: 'hmac' } }],
  ['"profile.secret" goes with "profile.signature"', { profile: { secret: 'a'.repeat(32) } }],
  ['"profile.secret" takes 32 characters', { profile: { signature: 'hmac', secret: 'short' } }],
  [
    '"consequences.card" is no key of the configuration; did you mean "consequences.card-payin"?',
    { consequences: { card: {} } },
  ],
  [
    '"consequences.card-payin.object_type" takes one of items, users',
    { consequences: { 'card-payin': { object_type: 'item', state: 'a' } } },
  ],
  [
    '"consequences.card-payin.state" is missing',
    { consequences: { 'card-payin': { object_type: 'items' } } },
  ],
  [
    '"knownFailures" has "order/final-then-earlyer", which is the id of no check; did you mean "order/final-then-earlier"?',
    { knownFailures: ['order/final-then-earlyer'] },
  ],
  ['"knownFailures" takes a list of texts', { knownFailures: 'order/final-then-earlier' }],
  ['"seed" takes a whole number from 0 to 4294967295, not -1', { seed: -1 }],
])('what is wrong is named, with the remedy: %s', (problem, config) => {
  const use = () => read(config)

  expect(use).toThrow(UsageError)
  expect(use).toThrow(`Cannot use config "hookbench.config.ts": ${problem}`)
})

test('all that is wrong is said at once', () => {
  const config = { receiver: { url: 'http://localhost/{object_type}' }, budgetMs: 0, efects: 1, port: -1 }

  expect(() => read(config)).toThrow(/"port" .*; "efects" .*; "budgetMs" .*; "receiver\.url" /)
})

test.each([
  [{ credentials: { client_secret: 5, hush: 'hush' } }],
  [receiving({ headers: { authorization: ['hush'] } })],
  [{ service: { attach: 'http://a', token: ['hush'] } }],
])('what may be secret is not said, though it is wrong: %j', (config) => {
  expect(() => read(config)).toThrow(/^(?!.*\["hush)[^]*$/)
  expect(() => read(config)).not.toThrow(/\["hush|: ?"hush/)
})

test.each([5, null, [], 'text'])('a configuration that is %j is refused', (config) => {
  expect(() => runOptionsOf(config, context)).toThrow('it must be an object of options')
})
