import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/** Writes the licenses of all bundled packages next to the bundle. */
export function writeLicenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle() {
      const folders = [...this.getModuleIds()].flatMap(
        (id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [],
      )
      const source = [...new Set(folders)].toSorted().map(formatLicense).join('\n')
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source })
    },
  }
}

export function formatLicense(folder: string): string {
  const { name, version, license, author }: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  // License and notice files contain the licenses of the package and of its bundled dependencies.
  const files = readdirSync(folder).filter((each) => /^(licen[cs]e|notice|third-party-notices)\b/i.test(each))
  const texts = files.map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`)
  if (texts.length === 0 && license === 'MIT')
    texts.push(`\n${mitLicense(author ?? `the authors of ${name}`)}\n`)
  return `${name} ${version}: ${license}\n${texts.join('')}`
}

/** Returns this repository's license text, with the given copyright holder. */
function mitLicense(author: string): string {
  const own = readFileSync(new URL('../LICENSE', import.meta.url), 'utf8').trim()
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${author}`)
}
