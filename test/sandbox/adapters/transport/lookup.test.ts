import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { createBoundedLookup, type Lookup } from '../../../../sandbox/adapters/transport/lookup.ts'

const HERE: LookupAddress = { address: '127.0.0.1', family: 4 }

/** A look-up whose names are answered when the test says so, and what was asked of it. */
function slowLookup() {
  const answers = new Map<string, () => void>()
  const asked: string[] = []
  const lookup: Lookup = (hostname, _options, callback) => {
    asked.push(hostname)
    answers.set(hostname, () => callback(null, [HERE]))
  }
  return { lookup: createBoundedLookup(lookup), asked, answer: (name: string) => answers.get(name)?.() }
}

const ignore = () => undefined

test('a look-up is made once for all who ask for the name at the same time', () => {
  const { lookup, asked, answer } = slowLookup()
  const answered: string[] = []
  lookup('a.test', { all: true }, () => answered.push('first'))
  lookup('a.test', { all: true }, () => answered.push('second'))

  answer('a.test')
  lookup('a.test', { all: true }, ignore)

  expect([answered, asked]).toEqual([
    ['first', 'second'],
    ['a.test', 'a.test'],
  ])
})

test('mute names take two threads and no more', () => {
  const { lookup, asked, answer } = slowLookup()
  for (const name of ['a.test', 'b.test', 'c.test', 'd.test']) lookup(name, { all: true }, ignore)
  const before = [...asked]

  answer('b.test')

  expect([before, asked]).toEqual([
    ['a.test', 'b.test'],
    ['a.test', 'b.test', 'c.test'],
  ])
})

test('this machine is found however many names are mute', () => {
  const { lookup, asked } = slowLookup()
  for (const name of ['a.test', 'b.test', 'c.test']) lookup(name, { all: true }, ignore)

  lookup('localhost', { all: true }, ignore)

  expect(asked).toEqual(['a.test', 'b.test', 'localhost'])
})

test('what each asks for is answered as it was asked', () => {
  const { lookup, asked } = slowLookup()
  lookup('a.test', { all: true, family: 4 }, ignore)
  lookup('a.test', { all: true, family: 6 }, ignore)

  expect(asked).toEqual(['a.test', 'a.test'])
})
