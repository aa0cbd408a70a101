// @module-tag postgresql
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveStandby } from '../../../sandbox/compose/serve-standby.ts'
import { defaultSettings } from '../../../sandbox/engine/core/settings.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres.ts'

const LEASE_MS = 1_000
const TOKEN = 'a-token-of-the-run'

let server: PostgresServer
let schemas = 0
beforeAll(async () => {
  server = await startPostgres()
  await server.query("CREATE ROLE app LOGIN PASSWORD 'right'; GRANT CREATE ON DATABASE postgres TO app")
})
afterAll(() => server.remove())

async function openProcess(password = 'right') {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-fault-'))
  const schema = `f${++schemas}`
  const errors: string[] = []
  const stopping = new AbortController()
  const listening = Promise.withResolvers<string>()
  const running = serveStandby(
    {
      caFolder: join(folder, 'ca'),
      port: 0,
      benchPort: 0,
      speed: 0,
      allowTargets: [],
      settings: defaultSettings,
      benchToken: TOKEN,
      onError: (where, error) => errors.push(`${where}: ${String(error)}`),
    },
    {
      url: `postgres://app${password === '' ? '' : `:${password}`}@127.0.0.1:${server.port}/postgres?schema=${schema}`,
      leaseMs: LEASE_MS,
      path: join(folder, 'standby.sqlite'),
      member: () => ({ owner: schema, name: 'm', address: schema, isLoopback: true }),
      onError: (error) => errors.push(String(error)),
      signal: stopping.signal,
      onListening: ({ benchUrl }) => listening.resolve(benchUrl),
      onRole() {},
    },
  )
  const benchUrl = String(await Promise.race([listening.promise, running]))
  const call = async (method: string, path: string) => {
    const response = await fetch(`${benchUrl}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any -- only the test knows the type
    return { status: response.status, body: (await response.json()) as any }
  }
  const until = async (status: string, reason = /(?:)/) => {
    for (;;) {
      const { body } = await call('GET', '/health')
      if (body.status === status && reason.test(body.reason ?? '')) return body
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return {
    schema,
    errors,
    call,
    until,
    async close() {
      stopping.abort()
      await running
      rmSync(folder, { recursive: true })
    },
  }
}

type Fault = readonly [
  name: string,
  reason: RegExp,
  begin: (schema: string) => unknown,
  end: (schema: string) => unknown,
]

const sql = (text: string) => server.query(text)
const signalAll = (signal: string) => {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
  for (const pid of [server.pid, ...children.trim().split(/\s+/).map(Number)]) process.kill(pid, signal)
}
let hba: { readonly path: string; readonly text: string }
async function requirePasswords(): Promise<void> {
  const path = String((await sql('SHOW hba_file'))[0]?.['hba_file'])
  hba = { path, text: readFileSync(path, 'utf8') }
  writeFileSync(path, `host all app 127.0.0.1/32 scram-sha-256\n${hba.text}`)
  await sql('SELECT pg_reload_conf()')
}
async function trustAgain(): Promise<void> {
  writeFileSync(hba.path, hba.text)
  await sql('SELECT pg_reload_conf()')
}
const cutConnections = () =>
  sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hookbench'")

const FAULTS: readonly Fault[] = [
  ['is stopped', /ECONNREFUSED|terminat|timeout/, () => server.stop('fast'), () => server.start()],
  ['is frozen', /timeout|in time/, () => signalAll('SIGSTOP'), () => signalAll('SIGCONT')],
  [
    'is read-only',
    /read-only/,
    () => sql('ALTER ROLE app SET default_transaction_read_only = on').then(cutConnections),
    () => sql('ALTER ROLE app RESET default_transaction_read_only').then(cutConnections),
  ],
  [
    'is full',
    /No space left/,
    (schema) =>
      sql(`
        CREATE FUNCTION ${schema}.full_disk() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${schema}.lease EXECUTE FUNCTION ${schema}.full_disk()`),
    (schema) => sql(`DROP TRIGGER full_disk ON ${schema}.lease`),
  ],
  [
    'rejects the password',
    /password authentication failed/,
    () =>
      requirePasswords()
        .then(() => sql("ALTER ROLE app PASSWORD 'other'"))
        .then(cutConnections),
    () => sql("ALTER ROLE app PASSWORD 'right'").then(trustAgain),
  ],
  [
    'has revoked the rights',
    /permission denied/,
    (schema) => sql(`ALTER TABLE ${schema}.lease OWNER TO postgres; REVOKE ALL ON ${schema}.lease FROM app`),
    (schema) => sql(`ALTER TABLE ${schema}.lease OWNER TO app`),
  ],
]

test.each(FAULTS)(
  'a process reports that PostgreSQL %s and recovers',
  async (...[fault, reason, begin, end]) => {
    const served = await openProcess()
    await served.until('ready')
    const { body: item } = await served.call('POST', '/objects/items')

    await begin(served.schema)
    const adding = served.call('POST', '/objects/items')
    await served.until('storage_away', reason)
    const refused = await adding
    const lost = await served.call('POST', '/objects/items')
    await end(served.schema)
    await served.until('ready')

    expect([refused, lost].map(({ status, body }) => [status, body.error.code])).toEqual([
      [503, 'storage_away'],
      [503, 'storage_away'],
    ])
    expect((await served.call('GET', `/objects/items/${item.id}`)).status).toBe(200)
    // A frozen server executes the statement when it resumes, so the first rejected call may still add its item.
    const counts = fault === 'is frozen' ? [1, 2] : [1]
    expect(counts).toContain((await served.call('GET', '/objects/items')).body.objects.length)
    expect(served.errors.filter((error) => !error.includes('Cannot use PostgreSQL'))).toEqual([])
    await served.close()
  },
)

test('a process reports immediately that PostgreSQL requires a password', async () => {
  await requirePasswords()
  const served = await openProcess('')

  expect((await served.until('storage_away')).reason).toContain('the server requires a password')
  expect(served.errors).toEqual([expect.stringContaining('the server requires a password')])
  await trustAgain()
  await served.until('ready')
  await served.close()
})

test('calls succeed while all PostgreSQL connections are cut repeatedly', async () => {
  const served = await openProcess()
  await served.until('ready')
  const stopped = new AbortController()
  const cutting = (async () => {
    while (!stopped.signal.aborted) await cutConnections()
  })()
  const statuses: number[] = []
  for (let count = 0; count < 30; count++) statuses.push((await served.call('POST', '/objects/items')).status)
  stopped.abort()
  await cutting

  const kept = (await served.call('GET', '/objects/items?limit=100')).body.objects
  expect(kept).toHaveLength(statuses.filter((status) => status === 201).length)
  await served.close()
})
