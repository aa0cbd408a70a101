import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDataFolder } from '../../../sandbox/adapters/data-folder.ts'
import { loadProgram } from './all-commands.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { UnreachableError } from '../../../sandbox/client/unreachable.ts'
import { UsageError } from '../../../sandbox/cli/failure.ts'
import { summarizeSnapshot, writeWhole } from '../../../sandbox/cli/snapshot-command.ts'
import { sandboxFinding } from '../../../sandbox/cli/doctor-sandbox.ts'
const OLD = 3

const LATER = 99

function makeFolder(format: number): { readonly path: string; readonly storePath: string } {
  const { path, storePath } = openDataFolder(join(temporaryFolder(), 'data'))
  const database = new DatabaseSync(storePath)
  database.exec(`CREATE TABLE entries (position INTEGER PRIMARY KEY) STRICT; PRAGMA user_version = ${format}`)
  database.close()
  return { path, storePath }
}

async function reset(path: string, url?: string): Promise<string> {
  vi.stubEnv('HOOKBENCH_WORLD', undefined)
  vi.stubEnv('HOOKBENCH_TOKEN', url === undefined ? undefined : 'x')
  vi.stubEnv('HOOKBENCH_URL', url)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => {
    vi.unstubAllEnvs()
    log.mockRestore()
  })
  const program = await loadProgram('reset')
  await program.parseAsync(['node', 'hookbench', 'reset', '--data', path, '--json'])
  return log.mock.calls.flat().join('\n')
}

test('the command "reset --json" removes a store of version 0.1.0 and prints its path', async () => {
  const { path, storePath } = makeFolder(OLD)

  expect(JSON.parse(await reset(path))).toEqual({ removed: storePath })
  expect(existsSync(storePath)).toBe(false)
})

test('the command "reset" removes no store when HOOKBENCH_URL refers to another sandbox', async () => {
  const { path, storePath } = makeFolder(OLD)

  await expect(reset(path, 'http://127.0.0.1:9')).rejects.toMatchObject({ name: 'UnreachableError' })
  expect(existsSync(storePath)).toBe(true)
})

test('the command "reset" does not remove a store of a newer version', async () => {
  const { path, storePath } = makeFolder(LATER)

  await expect(reset(path)).rejects.toMatchObject({ name: 'UnreachableError' })
  expect(existsSync(storePath)).toBe(true)
})

test('the command "reset" rejects a file that is not a store', async () => {
  const { path, storePath } = openDataFolder(join(temporaryFolder(), 'data'))
  writeFileSync(storePath, 'not a database'.repeat(100))

  await expect(reset(path)).rejects.toMatchObject({ name: 'StorageError', kind: 'damaged' })
})

async function* piecesOf(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

test('writeWhole() replaces a file with a file that only the owner can read', async () => {
  const file = join(temporaryFolder(), 'world.json')
  writeFileSync(file, 'before', { mode: 0o644 })

  await writeWhole(file, piecesOf('af', 'ter'))

  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['after', 0o600])
})

test('writeWhole() leaves no file after a failed write', async () => {
  const folder = temporaryFolder()
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  const before = readdirSync(folder)

  for (const file of [taken, join(folder, 'nowhere/world.json')]) {
    await expect(writeWhole(file, piecesOf('x'))).rejects.toThrow(UsageError)
    await expect(writeWhole(file, piecesOf('x'))).rejects.toThrow(`Cannot write "${file}"`)
  }
  expect(readdirSync(folder)).toEqual(before)
})

test('writeWhole() keeps the old file when the snapshot is incomplete', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'kept.json')
  writeFileSync(file, 'before')
  const before = readdirSync(folder)

  const { pieces } = summarizeSnapshot(piecesOf('{"version":"1"}\n{"head":1}\n', '{"head":2'))

  await expect(writeWhole(file, pieces)).rejects.toThrow(UnreachableError)
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['before', before])
})

test('summarizeSnapshot() counts the entries and requests of a snapshot', async () => {
  const { pieces, facts } = summarizeSnapshot(
    piecesOf('{"version":"1"}\n{"method":1}\n{"head":1}\n{"he', 'ad":2}\n{"checksum":"c"}\n'),
  )

  await writeWhole(join(temporaryFolder(), 'world.json'), pieces)

  expect(facts()).toMatchObject({ version: '1', checksum: 'c', entries: 2, requests: 1 })
})

const NOW = '2026-01-01T00:00:00.000Z'

const CLOCK = { now: NOW, mode: 'real', speed: 1 } as const

test.each([
  ['storage_full', 'free space on the disk of the data folder. The sandbox then continues automatically'],
] as const)('the command "doctor" reports a sandbox that rejects changes with %s', (status, remedy) => {
  const service_url = 'http://s.test'
  const health = {
    status,
    ready: false,
    reason: 'It is so',
    service_url,
    version: '1',
    now: NOW,
    clock: CLOCK,
  }

  expect(sandboxFinding(health, 'http://b.test', { data: 'mine' })).toMatchObject({
    message: `A sandbox runs: service ${service_url}, bench http://b.test, but the sandbox accepts no changes: It is so`,
    remedy,
  })
})
