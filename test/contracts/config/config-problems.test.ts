import { expect, test } from 'vitest'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { context } from '../support/config-context.ts'
import { UsageError } from '../../../sandbox/internal.ts'

const TEMPLATE = 'https://localhost:9443/{object_type}/3f9c'
const read = (config: object) => createRunOptions({ receiver: { url: TEMPLATE }, ...config }, context)
const receiving = (fields: object) => ({ receiver: { url: TEMPLATE, ...fields } })

test.each<readonly [string, object]>([
  ['"efects" is not a key of the configuration. Did you mean "effects"?', { efects: {} }],
  [
    '"receiver.callBack" is not a key of the configuration. Did you mean "receiver.callsBack"?',
    receiving({ callBack: true }),
  ],
  ['"receiver.url" is missing', { receiver: {} }],
  ['"receiver.url" is undefined. Give the URL, or omit the key', { receiver: { url: undefined } }],
  [
    '"receiver" takes an object with url, ca, headers, callsBack, generations',
    { receiver: 'https://localhost' },
  ],
  [
    '"receiver.url" has {type}, which is not a variable',
    { receiver: { url: 'https://localhost/{object_type}/{type}' } },
  ],
  [
    '"receiver.url" takes an HTTPS URL, not "http://',
    { receiver: { url: 'http://localhost/{object_type}' } },
  ],
  [
    '"receiver.url" takes an HTTPS URL, not "localhost:9443/{object_type}": the service posts only to HTTPS URLs; ' +
      'write it as https://localhost:9443/{object_type}; "npx hookbench cert localhost --data mine" makes a certificate',
    { receiver: { url: 'localhost:9443/{object_type}' }, data: 'mine' },
  ],
  [
    '"receiver.url" names both types and generations',
    { receiver: { url: { webhooks: TEMPLATE, items: TEMPLATE } } },
  ],
  ['"receiver.ca" takes a PEM file: "empty.pem" has no certificate', receiving({ ca: 'empty.pem' })],
  ['"receiver.headers" has "a b", which is not a valid header', receiving({ headers: { 'a b': 'c' } })],
  ['"sourceAddresses" takes "loopback" or the name of a header, not "a b"', { sourceAddresses: 'a b' }],
  [
    '"service.attach" takes the address of a bench, such as "http://127.0.0.1:4011", or true',
    { service: { attach: '4011', token: 't' } },
  ],
  [
    '"service.attach" would send the token over http, where others can read it',
    { service: { attach: 'http://a.test', token: 't' } },
  ],
  ['"service.token" requires "service.attach"', { service: { token: 't' } }],
  [
    '"service.world" takes the name of a world, 1 to 40 small letters, digits and hyphens, such as "anna", not "Anna"',
    { service: { attach: true, world: 'Anna' } },
  ],
  ['"service.ttlSeconds" requires "service.world"', { service: { attach: true, ttlSeconds: 90 } }],
  ['"effects" takes one of http, command, sink, or in TypeScript function', { effects: {} }],
  ['"effects.http" takes an absolute URL', { effects: { http: '/{object_type}/{id}' } }],
  ['"warnMs" is more than "budgetMs", which is 1000', { budgetMs: 1_000, warnMs: 2_000 }],
  [
    '"profile.signature" is not a key of the configuration. Did you mean "readings.signature"?; ' +
      '"profile.vocabulary" is not a key of the configuration. Did you mean "vocabulary"?',
    { profile: { signature: 'off', vocabulary: {} } },
  ],
  [
    '"readings.environment" takes "pre-live" or "production", not "prod"',
    { readings: { environment: 'prod' } },
  ],
  [
    '"readings" is rejected: Cannot set reading "delivery-deadline" to "soon": the value must be a duration',
    { readings: { 'delivery-deadline': 'soon' } },
  ],
  ['"clock" cannot be used with "speed"', { clock: 'manual', speed: 2 }],
  [
    '"signatureSecret" has no effect while "readings.signature" is "off"',
    { readings: { signature: 'off' }, signatureSecret: 'a'.repeat(32) },
  ],
  [
    '"signatureSecret" takes 32 characters or more, ASCII',
    { readings: { signature: 'hmac' }, signatureSecret: 'short' },
  ],
  [
    '"knownFailures" has "order/final-then-earlyer", which is not the id of a check. Did you mean "order/final-then-earlier"?',
    { knownFailures: ['order/final-then-earlyer'] },
  ],
])('the configuration error names the wrong value and the fix: %s', (problem, config) => {
  const use = () => read(config)

  expect(use).toThrow(UsageError)
  expect(use).toThrow(`Cannot use config "hookbench.config.ts": ${problem}`)
})

test('the configuration error lists all problems of a configuration at once', () => {
  const config = { receiver: { url: 'http://localhost/{object_type}' }, budgetMs: 0, efects: 1, port: -1 }

  expect(() => read(config)).toThrow(/"efects" .*; "port" .*; "budgetMs" .*; "receiver\.url" /)
})

test.each([
  [{ credentials: { client_secret: 5, hush: 'hush' } }],
  [receiving({ headers: { authorization: ['hush'] } })],
  [{ service: { attach: 'https://a', token: ['hush'] } }],
  [{ credentials: 'hush' }],
  [{ readings: { signature: 'hmac' }, signatureSecret: '"hush' }],
])('a configuration error does not print a value that may be secret: %j', (config) => {
  expect(() => read(config)).toThrow(/^(?!.*\["hush)[^]*$/)
  expect(() => read(config)).not.toThrow(/\["hush|[:,] ?(not )?"hush/)
})

test('an invalid configuration key causes no follow-up errors about other keys', () => {
  const config = {
    receiver: { urls: TEMPLATE },
    readings: { signature: 'hmac', environment: 'prod' },
    signatureSecret: 'a'.repeat(32),
    service: { attach: 'https://a', token: 5 },
  }

  expect(() => read(config)).toThrow(
    /: "readings\.environment" [^;]*; "receiver\.urls" .*"receiver\.url"\?; "service\.token" takes text$/,
  )
})

test.each([5, null, [], 'text'])('a configuration with the value %j is rejected', (config) => {
  expect(() => createRunOptions(config, context)).toThrow('the value must be an object of options')
})
