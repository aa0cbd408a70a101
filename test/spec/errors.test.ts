import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { errorMessage, isError } from '../../spec/errors.ts'

test.each(['new Error("lost")', 'new TypeError("lost")', 'new AggregateError([], "lost")'])(
  'isError() is true for %s of another realm',
  (code) => {
    const foreign: unknown = runInNewContext(code)

    expect([foreign instanceof Error, isError(foreign), errorMessage(foreign)]).toEqual([false, true, 'lost'])
  },
)

test.each([
  [undefined, 'undefined'],
  ['lost', 'lost'],
  [{ message: 'lost' }, '[object Object]'],
])('isError() is false for %j', (thrown, text) => {
  expect([isError(thrown), errorMessage(thrown)]).toEqual([false, text])
})
