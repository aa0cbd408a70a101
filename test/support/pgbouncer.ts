import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-ports.ts'
import { asItsUser, type PostgresServer } from './postgres.ts'

/** Starts PgBouncer in transaction mode. */
export async function startPgBouncer({ port }: Pick<PostgresServer, 'port'>) {
  // Uses /tmp, because PgBouncer's system user cannot open the folder of the tests.
  const folder = mkdtempSync('/tmp/hookbench-pgbouncer-')
  chmodSync(folder, 0o755)
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
`,
  )
  const [program, ...args] = asItsUser(['pgbouncer', file])
  const child = spawn(program, args, { stdio: 'ignore' })
  return {
    port: own,
    async stop(): Promise<void> {
      const ended = once(child, 'exit')
      if (child.kill()) await ended
      rmSync(folder, { recursive: true })
    },
  }
}
