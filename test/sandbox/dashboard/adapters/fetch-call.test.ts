import { expect, test } from 'vitest'
import * as terminal from '../../../../sandbox/client/unreachable.ts'
import * as browser from '../../../../sandbox/dashboard/adapters/fetch-call.ts'

test('the page exports every error explanation that the terminal exports', () => {
  expect(Object.keys(browser)).toEqual(expect.arrayContaining(Object.keys(terminal)))
})

test('noAnswer() names the address and keeps the cause', () => {
  const cause = new TypeError('Failed to fetch')
  const error = browser.noAnswer('http://127.0.0.1:4011/control/clock', cause)

  expect([error.name, error.message, error.cause]).toEqual([
    'UnreachableError',
    'There is no answer from http://127.0.0.1:4011/control/clock',
    cause,
  ])
})

test('notSandbox() names the failed action and the reason', () => {
  expect(browser.notSandbox('find a sandbox', 'it does not speak JSON').message).toBe(
    'Cannot find a sandbox: it does not speak JSON',
  )
})
