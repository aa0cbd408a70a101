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

function formatLicense(folder: string): string {
  const { name, version, license }: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return `${name} ${version}: ${license}\n${text}`
}
