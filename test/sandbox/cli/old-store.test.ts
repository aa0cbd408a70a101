import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDataFolder } from '../../../sandbox/adapters/data-folder.ts'
import { loadProgram } from '../../support/all-commands.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

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

test('reset --json prints the path of a store of version 0.1.0 that it has removed', async () => {
  const { path, storePath } = makeFolder(OLD)

  expect(JSON.parse(await reset(path))).toEqual({ removed: storePath })
  expect(existsSync(storePath)).toBe(false)
})

test('reset removes no store when HOOKBENCH_URL names another sandbox', async () => {
  const { path, storePath } = makeFolder(OLD)

  await expect(reset(path, 'http://127.0.0.1:9')).rejects.toMatchObject({ name: 'UnreachableError' })
  expect(existsSync(storePath)).toBe(true)
})

test('reset removes no store of a later version', async () => {
  const { path, storePath } = makeFolder(LATER)

  await expect(reset(path)).rejects.toMatchObject({ name: 'UnreachableError' })
  expect(existsSync(storePath)).toBe(true)
})

test('reset names a file that is not a store', async () => {
  const { path, storePath } = openDataFolder(join(temporaryFolder(), 'data'))
  writeFileSync(storePath, 'not a database'.repeat(100))

  await expect(reset(path)).rejects.toMatchObject({ name: 'StorageError', kind: 'damaged' })
})
