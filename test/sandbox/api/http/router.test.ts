import { expect, test } from 'vitest'
import { createRouter } from '../../../../sandbox/api/http/router.ts'

const router = createRouter(
  new Map([
    ['/items', 'items'],
    ['/items/{id}', 'item'],
    ['/items/{id}/jobs/{job}', 'job'],
    ['/items/new', 'new'],
  ]),
)

test.each([
  ['/items', 'items', {}],
  ['/items/', 'items', {}],
  ['/it%65ms', 'items', {}],
  ['/items/new', 'new', {}],
  ['/items/new/', 'new', {}],
  ['/items/42', 'item', { id: '42' }],
  ['/items/a%2Fb%20c', 'item', { id: 'a/b c' }],
  ['/items/%2541', 'item', { id: '%41' }],
  ['/items/%ff-%41%', 'item', { id: '%ff-A%' }],
  ['/items/new/jobs/7', 'job', { id: 'new', job: '7' }],
])('a router finds %s', (path, value, params) => {
  expect(router.find(path, () => true)).toEqual({ value, params })
})

test.each(['/', '', '//', '//items', '/items//', '/items//jobs/7', '/items/42/jobs', '/items/42/jobs/7/x'])(
  'a router finds nothing at "%s"',
  (path) => {
    expect(router.find(path, () => true)).toBeUndefined()
  },
)

test('a router goes on to a parameter where the fixed part does not fit', () => {
  expect(router.find('/items/new', (value) => value === 'item')).toEqual({
    value: 'item',
    params: { id: 'new' },
  })
})
