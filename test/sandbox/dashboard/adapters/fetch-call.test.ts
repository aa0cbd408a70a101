import { expect, test } from 'vitest'
import * as terminal from '../../../../sandbox/client/unreachable.ts'
import * as browser from '../../../../sandbox/dashboard/adapters/fetch-call.ts'

test('the page exports every error explanation that the terminal exports', () => {
  expect(Object.keys(browser)).toEqual(expect.arrayContaining(Object.keys(terminal)))
})
