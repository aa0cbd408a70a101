import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openPostgres, parsePostgresUrl } from '../../../../sandbox/adapters/standby/postgres.ts'

test.each([
  ['postgres://hookbench:secret@db.internal:5432/sandbox', 'db.internal:5432/sandbox, schema hookbench'],
  ['postgresql://db.internal/sandbox?schema=blue', 'db.internal:5432/sandbox, schema blue'],
  ['postgres:///sandbox?host=/var/run/postgresql', '/var/run/postgresql:5432/sandbox, schema hookbench'],
  ['postgres://app@/sandbox?host=/var/run/postgresql', '/var/run/postgresql:5432/sandbox, schema hookbench'],
  ['postgres://app@%2Fvar%2Frun%2Fpostgresql/sandbox', '/var/run/postgresql:5432/sandbox, schema hookbench'],
])('parsePostgresUrl() parses %s and shows no password', (url, shown) => {
  expect(parsePostgresUrl(url, pg).shown).toBe(shown)
})

test.each(['mysql://db/sandbox', 'postgres://[', 'hookbench'])('parsePostgresUrl() rejects %s', (url) => {
  expect(() => parsePostgresUrl(url, pg)).toThrow('Write it as postgres://host:5432/database')
})

test('parsePostgresUrl() rejects a schema name that needs quotes', () => {
  expect(() => parsePostgresUrl('postgres://db/sandbox?schema=My-Schema', pg)).toThrow(
    'must have only lower-case letters',
  )
})

test('openPostgres() names the package to install when the driver is missing', async () => {
  vi.doMock('pg', () => {
    throw new Error('not found')
  })
  await expect(openPostgres('postgres://db/sandbox', 1_000)).rejects.toThrow('npm install pg@8')
})
