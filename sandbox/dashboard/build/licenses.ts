import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/** The licenses of what is part of a bundle ask to be handed on with it. */
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
  const { name, version, license }: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  // What a package has in it of others, it names in a file of its own.
  const files = readdirSync(folder).filter((each) => /^(licen[cs]e|notice|third-party-notices)\b/i.test(each))
  const texts = files.map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`)
  return `${name} ${version}: ${license}\n${texts.join('')}`
}
