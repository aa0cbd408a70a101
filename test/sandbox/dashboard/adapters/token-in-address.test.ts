import { expect, test } from 'vitest'
import { dashboardUrl } from '../../../../sandbox/cli/dashboard-address.ts'
import { tokenInAddress } from '../../../../sandbox/dashboard/adapters/token-in-address.ts'

const address = (benchToken: string) => new URL(dashboardUrl({ benchUrl: 'https://h', benchToken }, true))

test.each(['plain-Token_1.2~3', 'ab+/cd==', '100%zz', '%41', 'a#b&c=d', "it's (1)*!"])(
  'the page uses the token %j unchanged',
  (token) => expect(tokenInAddress(address(token).hash)).toBe(token),
)

test.each([
  ['#token=100%zz', '100%zz'],
  ['#token=ab+/cd==', 'ab+/cd=='],
  ['#/jobs/1', undefined],
  ['', undefined],
])('the token of %j is %j', (hash, token) => expect(tokenInAddress(hash)).toBe(token))
