import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { createBoundedLookup, type Lookup } from '../../../../sandbox/adapters/transport/lookup.ts'

const ALL = { all: true } as const

function slowLookup() {
  const answers = new Map<string, (error: Error | null, addresses: readonly LookupAddress[]) => void>()
  const asked: string[] = []
  const answered: string[] = []
  const slow: Lookup = (hostname, _options, callback) => {
    asked.push(hostname)
    answers.set(hostname, callback)
  }
  const { lookup, close } = createBoundedLookup(slow)
  return {
    asked,
    answered,
    close,
    ask: (name: string, options: Parameters<Lookup>[1] = ALL) =>
      lookup(name, options, (error, [first]) =>
        answered.push(`${name} ${error ? 'unknown' : first?.address}`),
      ),
    answer: (name: string, address: string) => answers.get(name)?.(null, [{ address, family: 4 }]),
    fail: (name: string) => answers.get(name)?.(new Error('no such name'), []),
  }
}

test('concurrent lookups of a host name share one query', () => {
  const { ask, answer, asked, answered } = slowLookup()
  ask('a.test')
  ask('a.test')

  answer('a.test', '10.0.0.1')
  ask('a.test')

  expect(asked).toEqual(['a.test', 'a.test'])
  expect(answered).toEqual(['a.test 10.0.0.1', 'a.test 10.0.0.1'])
})

test('host names are looked up one at a time', () => {
  const { ask, answer, fail, asked } = slowLookup()
  for (const name of ['a.test', 'b.test', 'c.test']) ask(name)
  const before = [...asked]

  fail('a.test')
  answer('b.test', '10.0.0.2')

  expect([before, asked]).toEqual([['a.test'], ['a.test', 'b.test', 'c.test']])
})

test('the name localhost is resolved immediately, even when the name servers do not respond', () => {
  const { ask, asked } = slowLookup()
  for (const name of ['a.test', 'b.test', 'c.test']) ask(name)

  ask('localhost')

  expect(asked).toEqual(['a.test', 'localhost'])
})

test('the lookup of a cached host name does not wait for an unresponsive name server', () => {
  const { ask, answer, fail, asked, answered } = slowLookup()
  ask('good.test')
  answer('good.test', '10.0.0.1')
  ask('mute.test')

  ask('good.test')
  const meanwhile = [...answered]
  fail('mute.test')
  answer('good.test', '10.0.0.2')
  ask('mute.test')
  ask('good.test')

  expect(meanwhile).toEqual(['good.test 10.0.0.1', 'good.test 10.0.0.1'])
  expect(asked).toEqual(['good.test', 'mute.test', 'good.test', 'mute.test'])
  expect(answered.at(-1)).toBe('good.test 10.0.0.2')
})

test('a host name is removed from the cache when its lookup fails', () => {
  const { ask, answer, fail, answered } = slowLookup()
  ask('gone.test')
  answer('gone.test', '10.0.0.1')
  ask('gone.test')
  fail('gone.test')
  ask('mute.test')

  ask('gone.test')

  expect(answered).toEqual(['gone.test 10.0.0.1', 'gone.test unknown'])
})

test('lookups with different options make separate queries', () => {
  const { ask, answer, asked } = slowLookup()
  ask('a.test', { all: true, family: 4 })
  ask('a.test', { all: true, family: 6 })

  answer('a.test', '10.0.0.1')

  expect(asked).toEqual(['a.test', 'a.test'])
})
