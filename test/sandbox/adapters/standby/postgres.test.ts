import { expect, test } from 'vitest'
import { loadDriver, parsePostgresUrl } from '../../../../sandbox/adapters/standby/postgres.ts'

test.each([
  ['postgres://hookbench:secret@db.internal:5432/sandbox', 'db.internal:5432/sandbox, schema hookbench'],
  ['postgresql://db.internal/sandbox?schema=blue', 'db.internal/sandbox, schema blue'],
  ['postgres:///sandbox?host=/var/run/postgresql', '/var/run/postgresql/sandbox, schema hookbench'],
  ['postgres://app@/sandbox?host=/var/run/postgresql', '/var/run/postgresql/sandbox, schema hookbench'],
  ['postgres://app@%2Fvar%2Frun%2Fpostgresql/sandbox', '/var/run/postgresql/sandbox, schema hookbench'],
])('parsePostgresUrl() reads %s and shows no password', (url, shown) => {
  expect(parsePostgresUrl(url).shown).toBe(shown)
})

test.each(['mysql://db/sandbox', 'postgres://[', 'hookbench'])('parsePostgresUrl() rejects %s', (url) => {
  expect(() => parsePostgresUrl(url)).toThrow('write it as postgres://host:5432/database')
})

test('parsePostgresUrl() rejects a schema that needs quotes', () => {
  expect(() => parsePostgresUrl('postgres://db/sandbox?schema=My-Schema')).toThrow(
    'is not of lower-case letters',
  )
})

test('loadDriver() names the package to install if it is missing', async () => {
  await expect(loadDriver(() => Promise.reject(new Error('not found')))).rejects.toThrow('npm install pg@8')
})
