import { expect, test } from 'vitest'
import { dashboardUrl } from '../../../../sandbox/cli/dashboard-address.ts'
import {
  formatRoute,
  parseRoute,
  parseWorld,
  tokenInAddress,
} from '../../../../sandbox/dashboard/state/route.ts'

test.each([
  ['', '', []],
  ['#token=x', '', []],
  ['#/jobs/1a2b', 'jobs', ['1a2b']],
  ['#/world/items/a%2Fb%20c', 'world', ['items', 'a/b c']],
  ['#/jobs/%zz', 'jobs', ['%zz']],
])('parseRoute() reads "%s" as the screen "%s" with %j', (hash, screen, path) => {
  expect(parseRoute(hash)).toEqual({ screen, path })
})

test.each([
  ['#/jobs/1a2b?at=2026-01-01', { screen: 'jobs', path: ['1a2b'], at: Date.parse('2026-01-01') }],
  ['#/jobs/1a2b?at=soon', { screen: 'jobs', path: ['1a2b'] }],
])('parseRoute() reads the instant in the URL "%s" as %j', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route)
})

test('parseRoute() reads the route that formatRoute() wrote', () => {
  const route = { screen: 'jobs', path: ['<img src=x>', 'a/b', '#?&', '?at=1', 'é'] }
  const past = { ...route, at: 1_767_225_600_123 }

  expect([route, past].map((each) => parseRoute(formatRoute(each)))).toEqual([route, past])
})

test.each([
  ['', undefined],
  ['?world=default', undefined],
  ['?world=anna', 'anna'],
  ['?x=1&world=pull-417', 'pull-417'],
])('parseWorld() reads "%s" as the world %j', (search, world) => {
  expect(parseWorld(search)).toBe(world)
})

const address = (benchToken: string) => new URL(dashboardUrl({ benchUrl: 'https://h', benchToken }, true))

test.each(['plain-Token_1.2~3', 'ab+/cd==', '100%zz', '%41', 'a#b&c=d', "it's (1)*!"])(
  'tokenInAddress() reads the token %j of the dashboard URL',
  (token) => expect(tokenInAddress(address(token).hash)).toBe(token),
)

test.each([
  ['#token=100%zz', '100%zz'],
  ['', undefined],
])('tokenInAddress() reads the URL fragment %j as the token %j', (hash, token) =>
  expect(tokenInAddress(hash)).toBe(token),
)
