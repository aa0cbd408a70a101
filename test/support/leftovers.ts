import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What Node keeps for later runs, wherever temporary files are. */
const CACHES: readonly string[] = ['node-compile-cache']

/**
 * Gives a run of the tests a folder of its own for temporary files, and removes it after the run. A run that leaves anything in it
 * fails: on the machine of whoever runs the tests, it would stay for ever.
 */
export default function setup(): () => void {
  const before = process.env['TMPDIR']
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-tests-'))
  process.env['TMPDIR'] = folder
  return () => {
    const left = readdirSync(folder).filter((name) => !CACHES.includes(name))
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    if (left.length > 0) throw new Error(`Tests have left behind: ${left.join(', ')}`)
  }
}
