import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Manifest {
  readonly engines: { readonly node: string }
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly default: { readonly default: string } }>>
}

const manifest: Manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))

/** The paths of the exported sources, relative to the root and without extension. */
export const ENTRIES = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : target.default.default.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
)

/** The peer dependencies, which the user's project installs. All other packages are bundled. */
const INSTALLED = Object.keys(manifest.peerDependencies)

export function isInstalled(id: string): boolean {
  return INSTALLED.some((name) => id === name || id.startsWith(`${name}/`))
}
