// @module-tag pgbouncer
import { expect, onTestFinished, test } from 'vitest'
import { startPgBouncer } from '../../../support/pgbouncer.ts'
import { startPostgres, type PostgresServer } from '../../../support/postgres.ts'
import { takeOver } from '../../../support/standby-candidate.ts'

async function toPoolUrl(server: PostgresServer): Promise<string> {
  const pool = await startPgBouncer(server)
  onTestFinished(() => pool.stop())
  return server.url({ port: pool.port })
}

async function toSocketUrl(server: PostgresServer): Promise<string> {
  const [row] = await server.query('SHOW unix_socket_directories')
  return `postgres://postgres@/postgres?host=${String(row?.['unix_socket_directories'])}&port=${server.port}`
}

test.each([
  ['PgBouncer in transaction mode', toPoolUrl],
  ['a Unix socket', toSocketUrl],
])('a standby that connects through %s takes over without losing a change', async (_, toUrl) => {
  const server = await startPostgres()
  onTestFinished(() => server.remove())

  expect(await takeOver(await toUrl(server))).toEqual({ entries: 20, epoch: 2 })
})
