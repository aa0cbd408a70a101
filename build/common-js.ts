import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { ENTRIES } from './entries.ts'

/**
 * What `require` finds: the same module as `import` does, behind the check of the version, which a Node that cannot load the module
 * passes first. Its types are those of the module, copied: `typeFiles` are their files below the folder.
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

/** From where an entry is in dist to the check of the version. */
export function pathToCheck(entry: string): string {
  return posix.relative(posix.join('dist', dirname(entry)), 'bin/library-node.cjs')
}
