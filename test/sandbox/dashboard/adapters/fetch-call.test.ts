import { expect, test } from 'vitest'
import * as terminal from '../../../../sandbox/client/unreachable.ts'
import * as browser from '../../../../sandbox/dashboard/adapters/fetch-call.ts'

test('the dashboard explains every error that the command line explains', () => {
  expect(Object.keys(browser)).toEqual(expect.arrayContaining(Object.keys(terminal)))
})
