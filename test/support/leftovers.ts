import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What Node keeps for later runs, wherever temporary files are. */
const CACHE = 'node-compile-cache'

/** The folder of this run, inside the one that it was given. */
const folder = mkdtempSync(join(tmpdir(), 'hookbench-tests-'))

/** Gives a run of the tests a folder of its own for temporary files. */
export function setup(): void {
  process.env['TMPDIR'] = folder
}

/** A run that leaves anything behind fails: on the machine of whoever runs the tests, it would stay for ever. */
export function teardown(): void {
  const left = readdirSync(folder).filter((name) => name !== CACHE)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  if (left.length > 0) throw new Error(`Tests have left behind: ${left.join(', ')}`)
}
