import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installForRun } from '../support/installed-package.ts'

/**
 * Installs the package for `npm test`: its commands take half the processor time that the sources take, and are what users run.
 * Whoever runs a few files runs the sources as they are, and so does whoever counts which lines of them run.
 */
export function setup(): (() => void) | undefined {
  if (process.env['HOOKBENCH_PROGRAM'] !== 'package') return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-installed-'))
  installForRun(folder)
  return () => rmSync(folder, { recursive: true })
}
