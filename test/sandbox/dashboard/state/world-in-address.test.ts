import { expect, test } from 'vitest'
import { formatWorld, parseWorld } from '../../../../sandbox/dashboard/state/world-in-address.ts'

test.each([
  ['', undefined],
  ['?', undefined],
  ['?world=', undefined],
  ['?world=default', undefined],
  ['?world=anna', 'anna'],
  ['?x=1&world=pull-417', 'pull-417'],
  ['?world=No%20Name', 'No Name'],
])('the query "%s" names the world %j', (search, world) => {
  expect(parseWorld(search)).toBe(world)
})

test.each([
  [undefined, '/'],
  ['default', '/'],
  ['anna', '/?world=anna'],
])('the page of the world %j is at "%s"', (world, address) => {
  expect(formatWorld(world)).toBe(address)
})

test('a world survives its address with any input', () => {
  const { search } = new URL(formatWorld('a&b=c #d'), 'http://127.0.0.1:4011')

  expect(parseWorld(search)).toBe('a&b=c #d')
})
