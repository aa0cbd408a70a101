import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-ports.ts'

const DEBIAN = '/usr/lib/postgresql'

/** Returns the program folder of the latest PostgreSQL version from Debian. Undefined if PostgreSQL is not installed. */
function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  return versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

/** The folder of the PostgreSQL programs. Undefined if this machine has no PostgreSQL. */
export const postgresPath = process.env['HOOKBENCH_POSTGRES_BIN'] ?? findPrograms()

export interface PostgresServer {
  readonly port: number
  /** The id of the main process, whose children are the other processes. */
  readonly pid: number
  url(options?: { readonly port?: number; readonly schema?: string }): string
  query(sql: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Stops the server. `immediate` stops the server without a checkpoint, like a crash. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

const SMALL: Readonly<Record<string, string>> = {
  autovacuum: 'off',
  max_connections: '60',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
}

interface PostgresOptions {
  /** True if a commit waits for the disk. Even if `fsync` is false, an `immediate` shutdown loses no data. */
  readonly fsync?: boolean
  readonly settings?: Readonly<Record<string, string>>
}

export async function startPostgres({
  fsync = false,
  settings: given = SMALL,
}: PostgresOptions = {}): Promise<PostgresServer> {
  // Uses /tmp, because PostgreSQL's system user cannot open the folder of the tests.
  const folder = mkdtempSync('/tmp/hookbench-postgres-')
  const data = join(folder, 'data')
  const port = await freePort()
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const own = { listen_addresses: '127.0.0.1', unix_socket_directories: folder }
    const settings = { ...given, fsync: fsync ? 'on' : 'off', ...own }
    const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const [program, ...args] = asItsUser([findProgram('postgres'), '-D', data, '-p', String(port), ...words])
    server = spawn(program, args, { stdio: 'ignore' })
    for (let isUp = false; !isUp;) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL has ended with ${server.exitCode}`)
      isUp = await withClient(port, async () => {}).then(
        () => true,
        () => new Promise((resolve) => setTimeout(resolve, 20, false)),
      )
    }
  }

  async function stop(mode: keyof typeof SIGNALS = 'fast'): Promise<void> {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(SIGNALS[mode])
    await ended
  }

  async function remove(): Promise<void> {
    await stop('immediate')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }

  try {
    initialize(folder, data)
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    port,
    get pid() {
      return server?.pid ?? 0
    },
    url: (options = {}) =>
      `postgres://postgres@127.0.0.1:${options.port ?? port}/postgres${options.schema === undefined ? '' : `?schema=${options.schema}`}`,
    query: (sql, values = []) =>
      withClient(port, async (client) => (await client.query(sql, [...values])).rows),
    stop,
    start,
    remove,
  }
}

function initialize(folder: string, data: string): void {
  const owner = process.getuid?.() === 0 ? userOfPostgres() : undefined
  if (owner) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)
  const words = `${findProgram('initdb')} -U postgres -A trust --no-sync --locale=C -E UTF8 -D`.split(' ')
  const [program, ...args] = asItsUser([...words, data])
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot make a cluster: ${stderr}`)
}

const findProgram = (name: string) => join(postgresPath ?? '', name)

/** Returns a command line that runs as PostgreSQL's user if the current user is root. The command ends with its parent process. */
export function asItsUser(words: readonly string[]): readonly [string, ...string[]] {
  const owner = process.getuid?.() === 0 ? userOfPostgres() : undefined
  const identity = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : []
  return ['setpriv', ...identity, '--pdeathsig=INT', ...words]
}

function userOfPostgres(): { readonly uid: number; readonly gid: number } {
  const ask = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: ask('-u'), gid: ask('-g') }
}

async function withClient<Result>(port: number, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
