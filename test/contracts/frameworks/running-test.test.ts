import { expect, onTestFinished, test, vi } from 'vitest'
import { raiseLimit, skipWhileRunning } from '../../../contracts/frameworks/globals.ts'

/** The `this` of a Mocha test. Its `skip` throws. */
class MochaContext {
  readonly test = { title: 'order/any-sequence' }
  limitMs = 2_000

  skip(): never {
    throw new Error('pending')
  }

  timeout(limitMs: number): void {
    this.limitMs = limitMs
  }
}

test('a test is skipped through its test context, which receives the reason', () => {
  const reasons: string[] = []
  const context = { skip: (reason: string) => void reasons.push(reason) }

  skipWhileRunning('not observable', { id: 'order/any-sequence', self: undefined, context })

  expect(reasons).toEqual(['not observable'])
})

test('a Mocha test is skipped through its context, with the reason in its title', () => {
  const self = new MochaContext()

  expect(() =>
    skipWhileRunning('not observable', { id: 'order/any-sequence', self, context: undefined }),
  ).toThrow('pending')
  expect(self.test.title).toBe('order/any-sequence (not observable)')
})

test('a test prints the reason when the framework cannot skip a running test', () => {
  const printed: unknown[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((line: unknown) => void printed.push(line))
  onTestFinished(() => spy.mockRestore())

  skipWhileRunning('not observable', { id: 'order/any-sequence', self: {}, context: () => undefined })

  expect(printed).toEqual(['order/any-sequence: not observable'])
})

test('a check raises the timeout of its Mocha test', () => {
  const self = new MochaContext()

  raiseLimit(self, 120_000)
  raiseLimit(undefined, 120_000)

  expect(self.limitMs).toBe(120_000)
})
