import { expect, test } from 'vitest'
import { loadDriver } from '../../../../sandbox/adapters/postgres/database.ts'
import { isPostgresUrl, parsePostgresUrl } from '../../../../sandbox/adapters/postgres/place.ts'
import { maskText } from '../../../../sandbox/engine/core/masking.ts'

test.each([
  ['postgres://one:secret@db.test:5433/shop', 'hookbench', 'db.test:5433/shop, schema hookbench'],
  ['postgresql://db.test/shop?schema=team_a', 'team_a', 'db.test/shop, schema team_a'],
  ['postgres:///shop?host=/run/postgresql', 'hookbench', '/run/postgresql/shop, schema hookbench'],
])('parsePostgresUrl() reads the schema of %s, and shows no password', (url, schema, shown) => {
  const place = parsePostgresUrl(url)

  expect([place.schema, place.shown, place.url.includes('schema=')]).toEqual([schema, shown, false])
})

test.each([
  ['mysql://one', 'Cannot use the store: its URL is not one of PostgreSQL'],
  ['postgres://db.test/shop?schema=A"b', 'Cannot use schema "A"b": a name is of small letters'],
])('parsePostgresUrl() refuses %s', (url, message) => {
  expect(() => parsePostgresUrl(url)).toThrow(message)
})

test('isPostgresUrl() tells a URL from a path', () => {
  expect(['postgres://a/b', 'postgresql://a/b', './postgres', 'store.sqlite'].map(isPostgresUrl)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('loadDriver() says what to install where the driver is missing', async () => {
  const load = () => Promise.reject(new Error('Cannot find package "pg"'))

  await expect(loadDriver(load)).rejects.toMatchObject({
    kind: 'unusable',
    message: 'Cannot use PostgreSQL: its driver is not installed; install it with "npm install pg@8"',
  })
})

test('the URL that a refusal shows is printed whole, since nothing in it looks like a secret', () => {
  const refusal = String(catchError(() => parsePostgresUrl('mysql://one')))
  expect(maskText(refusal)).toBe(refusal)
})

function catchError(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
