import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { formatLicense } from './licenses.ts'
import { writeCommonJs } from './common-js.ts'
import { ENTRIES, isInstalled, ROOT } from './entries.ts'

/**
 * Writes the types of the exports, including types of bundled packages. Each file exists twice, because a CommonJS file may not
 * import types from an ES module.
 */
const DIST = join(ROOT, 'dist')
const DECLARATIONS = join(DIST, '.declarations')
const SETTINGS = join(DIST, '.tsconfig.json')

/** Writes type declarations of all reachable sources. */
function declareSources(): void {
  const settings = {
    extends: '../tsconfig.json',
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: DECLARATIONS,
      rootDir: ROOT,
    },
    include: [],
    files: ENTRIES.map((entry) => join(ROOT, `${entry}.ts`)),
  }
  writeFileSync(SETTINGS, JSON.stringify(settings))
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', SETTINGS], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`Cannot write the types: tsc ended with ${status}`)
}

async function bundleDeclarations(): Promise<readonly string[]> {
  const folders = new Set<string>()
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(DECLARATIONS, `${entry}.d.ts`)])),
    platform: 'node',
    external: isInstalled,
    plugins: [resolveTypes(folders), dts({ dtsInput: true, generator: 'oxc', tsconfig: false })],
  })
  const { output } = await bundle.write({
    dir: DIST,
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types/[name]-[hash].d.ts',
    minifyInternalExports: false,
  })
  await bundle.close()
  addLicenses(folders)
  return output.map(({ fileName }) => fileName)
}

/** Finds the types of a package through `types` in its package.json, because bundlers do not read this field. */
function resolveTypes(folders: Set<string>): Plugin {
  const require = createRequire(import.meta.url)
  return {
    name: 'types-of-packages',
    resolveId(id, importer) {
      if (importer === undefined || /^(\.|\/|node:)/.test(id) || isInstalled(id)) return undefined
      const folder = packageFolder(require.resolve.paths(importer) ?? [], id)
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      folders.add(folder)
      return manifest.types === undefined ? undefined : join(folder, manifest.types)
    },
    load: (id) =>
      /\/rettime\/.*\/index\.d\.mts$/.test(id) ? withoutDom(readFileSync(id, 'utf8')) : undefined,
  }
}

/**
 * Replaces `MessageEvent` in a bundled type, because Node and browsers declare `MessageEvent` differently. The replacement keeps
 * the field `data`.
 */
function withoutDom(text: string): string {
  const events =
    /(interface TypedEvent<[^{]*?) extends Omit<MessageEvent<DataType>, 'type'> \{([^]*?) extends MessageEvent<DataType>/
  if (!events.test(text))
    throw new Error('Cannot bundle the types of "rettime": the package has changed its event types')
  return text.replace(events, '$1 {\n  readonly data: DataType;$2 extends Event')
}

function packageFolder(paths: readonly string[], name: string): string {
  const folder = [join(ROOT, 'node_modules'), ...paths]
    .map((path) => join(path, name))
    .find((path) => existsSync(path))
  if (folder === undefined) throw new Error(`Cannot bundle the types of "${name}": it is not installed`)
  return folder
}

/** Adds the licenses of the packages whose types are bundled. */
function addLicenses(folders: Iterable<string>): void {
  const file = join(DIST, 'licenses.txt')
  const present = readFileSync(file, 'utf8')
  const missing = [...folders].map(formatLicense).filter((license) => !present.includes(license))
  appendFileSync(file, missing.map((license) => `\n${license}`).join(''))
}

try {
  declareSources()
  const files = await bundleDeclarations()
  writeCommonJs(DIST, files)
} finally {
  rmSync(DECLARATIONS, { recursive: true, force: true })
  rmSync(SETTINGS, { force: true })
}
