import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Node keeps this cache for later runs in the folder of temporary files. */
const CACHE = 'node-compile-cache'

/** The folder of this run, inside the one that it was given. */
const folder = mkdtempSync(join(tmpdir(), 'hookbench-tests-'))

/** Gives a run of the tests its own folder for temporary files. */
export function setup(): void {
  process.env['TMPDIR'] = folder
}

/** A run that leaves files behind fails, because they would stay on the developer's machine. */
export function teardown(): void {
  const left = readdirSync(folder).filter((name) => name !== CACHE)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  if (left.length > 0) throw new Error(`Tests have left behind: ${left.join(', ')}`)
}
