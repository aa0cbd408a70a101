import { expect, onTestFinished, test, vi } from 'vitest'
import { findTestFunctions, skipWhileRunning } from '../../../contracts/frameworks/globals.ts'

const define = () => undefined
const own = () => undefined

function setGlobals(...names: readonly string[]): void {
  for (const name of names) vi.stubGlobal(name, define)
  onTestFinished(() => void vi.unstubAllGlobals())
}

test('findTestFunctions() accepts test functions under the names of each framework', () => {
  const {
    describe,
    test: found,
    afterAll,
    repeat,
  } = findTestFunctions({ describe: own, it: own, after: own })

  expect([describe, found, afterAll]).toEqual([own, own, own])
  expect(repeat('a/b')).toBe(`your tests    with checks: ['a/b']`)
})

test('findTestFunctions() names missing test functions and explains how to pass them', () => {
  expect(() => findTestFunctions({ describe: define })).toThrow(
    'there is no global test and no global afterAll. Pass them as describeReceiver(config, { describe, test, afterAll })',
  )
})

test.each(['Bun', 'Deno'])('findTestFunctions() names the commands of Node in %s', (runtime) => {
  setGlobals(runtime)

  expect(() => findTestFunctions({})).toThrow('Use "hookbench/node-test" with "node --test"')
})

const ID = 'order/any-sequence'

test('a test is skipped through its test context, which receives the reason', () => {
  const reasons: string[] = []
  const context = { skip: (reason: string) => void reasons.push(reason) }

  skipWhileRunning('not observable', { id: ID, self: undefined, context })

  expect(reasons).toEqual(['not observable'])
})

test('a test prints the reason when the framework cannot skip a running test', () => {
  const printed: unknown[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((line: unknown) => void printed.push(line))
  onTestFinished(() => spy.mockRestore())

  skipWhileRunning('not observable', { id: ID, self: {}, context: () => undefined })

  expect(printed).toEqual(['order/any-sequence: not observable'])
})
