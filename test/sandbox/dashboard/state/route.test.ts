import { expect, test } from 'vitest'
import { formatRoute, parseRoute } from '../../../../sandbox/dashboard/state/route.ts'

test.each([
  ['', '', []],
  ['#/', '', []],
  ['#token=x', '', []],
  ['#/jobs/1a2b', 'jobs', ['1a2b']],
  ['#/world/items/a%2Fb%20c', 'world', ['items', 'a/b c']],
  ['#/jobs//', 'jobs', []],
  ['#/jobs/%zz', 'jobs', ['%zz']],
])('the fragment "%s" names screen "%s" with %j', (hash, screen, path) => {
  expect(parseRoute(hash)).toEqual({ screen, path })
})

test.each([
  ['#/?at=2026-01-01T00:00:00.000Z', { screen: '', path: [], at: Date.parse('2026-01-01T00:00:00.000Z') }],
  ['#/jobs/1a2b?at=2026-01-01', { screen: 'jobs', path: ['1a2b'], at: Date.parse('2026-01-01') }],
  ['#/jobs/1a2b?at=soon', { screen: 'jobs', path: ['1a2b'] }],
  ['#/jobs/1a2b?at=', { screen: 'jobs', path: ['1a2b'] }],
])('the fragment "%s" names an instant, if it is one: %j', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route)
})

test('a route survives its fragment with any words', () => {
  const route = { screen: 'jobs', path: ['<img src=x>', 'a/b', '#?&', '?at=1', 'é'] }
  const past = { ...route, at: 1_767_225_600_123 }

  expect([route, past].map((each) => parseRoute(formatRoute(each)))).toEqual([route, past])
})
