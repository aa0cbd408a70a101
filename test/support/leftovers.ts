import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CACHE = 'node-compile-cache'

const folder = mkdtempSync(join(tmpdir(), 'hookbench-tests-'))

export function setup(): void {
  process.env['TMPDIR'] = folder
}

/** Fails the test run if the run leaves files in the temporary folder. */
export function teardown(): void {
  const left = readdirSync(folder).filter((name) => name !== CACHE)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  if (left.length > 0) throw new Error(`Tests have left behind: ${left.join(', ')}`)
}
