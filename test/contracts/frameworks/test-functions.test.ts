import type nodeTest from 'node:test'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { findTestFunctions } from '../../../contracts/frameworks/test-functions.ts'

const define = () => undefined
const borrowed: string[] = []

function setGlobal(name: string, value: unknown): void {
  borrowed.push(name)
  Reflect.set(globalThis, name, value)
}

afterEach(() => {
  for (const name of borrowed.splice(0)) Reflect.deleteProperty(globalThis, name)
})

test('findTestFunctions() accepts test functions under the names of each framework', () => {
  expect(findTestFunctions({ describe: define, it: define, after: define })).toMatchObject({
    describe: define,
    test: define,
    afterAll: define,
  })
})

test('findTestFunctions() accepts the function types of node:test and vitest', () => {
  const takeNode = (from: Pick<typeof nodeTest, 'describe' | 'it' | 'after'>) => findTestFunctions(from)

  expect(takeNode).toBeTypeOf('function')
  expect(findTestFunctions({ describe, test, afterAll })).toMatchObject({ describe, test, afterAll })
})

test('findTestFunctions() uses global test functions when options omit test functions', () => {
  const own = () => undefined
  for (const name of ['describe', 'it', 'after']) setGlobal(name, define)

  const { describe: taken, test: found, repeat } = findTestFunctions({ describe: own })

  expect([taken, found]).toEqual([own, define])
  expect(repeat('order/any-sequence')).toBe(`npx mocha --grep 'order/any-sequence:'`)
})

test('findTestFunctions() names missing test functions and explains how to pass them', () => {
  expect(() => findTestFunctions({ describe: define })).toThrow(
    'there is no global test and no global afterAll. Pass them as describeReceiver(config, { describe, test, afterAll })',
  )
})

test.each([
  ['Bun', `bun test -t 'a/b:'`],
  ['Deno', `deno test -A    with checks: ['a/b']`],
])('a test in %s shows the repeat command of its runtime', (name, command) => {
  setGlobal(name, {})

  const { repeat, runtime } = findTestFunctions({ describe: define, test: define, afterAll: define })

  expect([runtime, repeat('a/b')]).toEqual([name.toLowerCase(), command])
})

test('the repeat command shows the option "checks" when no global test functions exist', () => {
  const { repeat } = findTestFunctions({ describe: define, test: define, afterAll: define })

  expect(repeat('a/b')).toBe(`your tests    with checks: ['a/b']`)
})
