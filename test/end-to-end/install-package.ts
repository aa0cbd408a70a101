import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installForRun } from '../support/installed-package.ts'

/**
 * Installs the package for `npm test`. The package needs half as much processor time to start as the sources. If you run a single
 * test file, the tests use the sources.
 */
export function setup(): (() => void) | undefined {
  if (process.env['HOOKBENCH_PROGRAM'] !== 'package') return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-installed-'))
  installForRun(folder)
  return () => rmSync(folder, { recursive: true })
}
