import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { ENTRIES } from './entries.ts'

/**
 * Writes the CommonJS entries and their types. Each entry first checks the Node version, then loads the module that `import`
 * loads. `typeFiles` are the paths of the type declarations, relative to `folder`.
 */
export function writeCommonJs(folder: string, typeFiles: readonly string[]): void {
  for (const file of typeFiles) {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(
      /((?:from|import) "\.[^"]*)\.js"/g,
      '$1.cjs"',
    )
    writeFileSync(join(folder, file.replace(/\.d\.ts$/, '.d.cts')), text)
  }
  for (const entry of ENTRIES) {
    const name = posix.basename(entry)
    const lines = [
      "'use strict'",
      `require('${pathToCheck(entry)}')`,
      `module.exports = require('./${name}.js')`,
    ]
    writeFileSync(join(folder, `${entry}.cjs`), `${lines.join('\n')}\n`)
  }
}

/** Returns the relative path from an entry in dist to the version check. */
export function pathToCheck(entry: string): string {
  return posix.relative(posix.join('dist', dirname(entry)), 'bin/library-node.cjs')
}
