import { expect, test } from 'vitest'
import { assert, jsonValue, property } from 'fast-check'
import { formatDuration, parseDuration, readings, readingValues } from '../../spec/readings.ts'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import { createTranslator } from '../../spec/vocabulary.ts'
import { correctSpelling, findNearest } from '../../spec/nearest.ts'

test('readingValues() returns defaults, with durations in milliseconds', () => {
  expect(readingValues()).toMatchObject({
    'retry-window': '24h',
    'delivery-deadline': 10_000,
    'job-recording-lag': 200,
    'access-token-lifetime': 3_600_000,
  })
})

test('readingValues() accepts a valid option and rejects a wrong option', () => {
  expect(readingValues({ 'retry-window': 'five-attempts' })['retry-window']).toBe('five-attempts')
  expect(() => readingValues({ 'retry-window': '48h' })).toThrow('its options are 24h, five-attempts')
  expect(() => readingValues({ 'retry-windows': '24h' })).toThrow('Cannot set reading "retry-windows"')
  expect(() => readingValues({ 'job-recording-lag': 'soon' })).toThrow('the value must be a duration such as')
  expect(() => readingValues({ 'delivery-deadline': '0s' })).toThrow('the value must be 1ms or more')
  expect(readingValues({ 'job-recording-lag': '0s' })['job-recording-lag']).toBe(0)
})

test('every reading has a section, a topic, a reason and a valid default', () => {
  for (const { id, source, about, why, options, default: fallback } of readings) {
    expect(
      source.every((section) => /^§\d+(\.\d+)?$/.test(section)),
      id,
    ).toBe(true)
    expect(Math.min(source.length, about.length, why.length), id).toBeGreaterThan(0)
    expect(options === undefined || Object.hasOwn(options, fallback), id).toBe(true)
  }
  expect(new Set(readings.map(({ id }) => id)).size).toBe(readings.length)
})

test.each([
  ['25m', 1_500_000],
  ['1h45m', 6_300_000],
  ['200ms', 200],
  ['1.5s', 1_500],
  ['', undefined],
  ['5', undefined],
  ['1e9d', undefined],
])('parseDuration() parses the text %s as %s', (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})

test('parseDuration() parses the text that formatDuration() returns', () => {
  const texts = ['0ms', '200ms', '1h45m', '1d4h', '2d1h1m1s1ms']

  expect(texts.map((text) => formatDuration(parseDuration(text) ?? Number.NaN))).toEqual(texts)
})

const vocabulary = {
  extwallet: 'paylane',
  partner: 'gateway',
  legacy: 'oldpay',
  request_response: 'request_responses',
}

const { outward, inward } = createTranslator(vocabulary)

test('outward() changes only keys, link paths and enumerated values', () => {
  expect(
    outward({
      extwallet_fee: 1,
      partner_payment_transaction_id: 'partner',
      request_response: [{ message: 'the extwallet said no' }],
      description: 'extwallet',
      name: 'Partner account with extwallet',
      payment_method: 'extwallet',
      links: { extwallet_accounts: '/users/extwallet-1/extwallet_accounts', self: null },
      link: '/extwallet_accounts/1',
    }),
  ).toEqual({
    paylane_fee: 1,
    gateway_payment_transaction_id: 'partner',
    request_responses: [{ message: 'the extwallet said no' }],
    description: 'extwallet',
    name: 'Partner account with extwallet',
    payment_method: 'paylane',
    links: { paylane_accounts: '/users/extwallet-1/paylane_accounts', self: null },
    link: '/paylane_accounts/1',
  })
})

test('outward() keeps ids in links and names that are not object types', () => {
  const link = '/extwallet_accounts/partner/legacy_users'
  expect([
    outward({ name: 'partner', event: 'legacy', links: { self: '/users/partner' } }),
    outward({ name: 'extwallet_accounts', event: 'legacy', link }),
  ]).toEqual([
    { name: 'partner', event: 'oldpay', links: { self: '/users/partner' } },
    { name: 'paylane_accounts', event: 'oldpay', link: '/paylane_accounts/partner/oldpay_users' },
  ])
})

test('inward() restores renamed keys and keeps user data', () => {
  const translator = createTranslator({ object_type: 'kind', users: 'people', partner: 'acme' })

  expect(translator.inward({ kind: 'people', name: 'acme' })).toEqual({ object_type: 'users', name: 'acme' })
})

test('inward() translates an enum value that contains digits back to the original value', () => {
  const translator = createTranslator({ users: 'users2' })

  expect(translator.inward({ object_type: 'users2' })).toEqual({ object_type: 'users' })
})

test.each(EXAMPLES)('inward() reverses outward() for $name', ({ body }) => {
  expect(inward({ said: outward(body) })).toEqual({ said: body })
})

test('outward() returns the value unchanged without a vocabulary', () => {
  assert(
    property(jsonValue(), (value) => {
      expect(createTranslator().outward(value)).toBe(value)
    }),
  )
})

test.each([
  [{ extwallet: 'Pay Lane' }, 'Cannot use vocabulary word "Pay Lane"'],
  [{ extwallet: 'same', partner: 'same' }, 'both become "same"'],
])('createTranslator() rejects %j', (words, message) => {
  expect(() => createTranslator(words)).toThrow(message)
})

test.each([
  ['amuont', ['name', 'amount', 'account'], 'amount'],
  ['name', ['amount', 'name'], 'name'],
  ['stat', ['status', 'state'], 'state'],
  ['x', [], undefined],
  ['x'.repeat(101), ['x'], undefined],
])('findNearest() for "%s" among %j returns the word %s', (word, words, meant) => {
  expect(findNearest(word, words)).toBe(meant)
})

test.each([
  ['item', ['items', 'users'], 'items'],
  ['jobb', ['job', 'attempt'], 'job'],
  ['xyz', ['add', 'remove', 'clear'], undefined],
  ['nope', ['move'], undefined],
  ['', ['add'], undefined],
])('correctSpelling() for %s among %j returns %s', (word, words, meant) => {
  expect(correctSpelling(word, words)).toBe(meant)
})

test('findNearest() compares a limited number of words', () => {
  const words = [...Array.from({ length: 200 }, (_, index) => `${index}`), 'amount']

  expect(findNearest('amount', words)).not.toBe('amount')
})
