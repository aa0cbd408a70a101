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

test('a route comes back from its fragment, whatever its words are', () => {
  const route = { screen: 'jobs', path: ['<img src=x>', 'a/b', '#?&', 'é'] }

  expect(parseRoute(formatRoute(route))).toEqual(route)
})
