import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ROOT } from '../entries.ts'
import { bundleCode } from './bundle-code.ts'
import { makeSingleFile } from './make-single-file.ts'
import { findTarget, OWN_NAME } from './targets.ts'

/**
 * Builds single-file programs that need no Node, in `programs/`. Builds for this machine or for the given targets. Usage: npm run
 * bundle [-- TARGET...]
 */
const names = process.argv.slice(2)
const targets = (names.length === 0 ? [OWN_NAME] : names).map(findTarget)
const folder = mkdtempSync(join(tmpdir(), 'hookbench-bundle-'))
try {
  const code = await bundleCode(folder)
  for (const target of targets) {
    const { path, bytes, archive, archiveBytes } = makeSingleFile(target, code, folder)
    console.log(
      `${relative(ROOT, path)}: ${megabytes(bytes)} MB; ${relative(ROOT, archive)}: ${megabytes(archiveBytes)} MB`,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
