import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { writeLicenses } from '../licenses.ts'
import { ROOT } from '../entries.ts'
import { requireBuiltins } from '../require-builtins.ts'

/** The content of a single-file program. */
export interface BundledProgram {
  /** The path of the bundled code. */
  readonly main: string
  /** Files that the program reads at run time. Maps each path in the package to a path on disk. */
  readonly assets: Readonly<Record<string, string>>
  readonly licenses: string
}

/** Bundles the program into one module in `folder`. Copies its assets. */
export async function bundleCode(folder: string): Promise<BundledProgram> {
  const bundle = await rolldown({
    input: { hookbench: 'build/single-file/entry.js' },
    cwd: ROOT,
    platform: 'node',
    external: /^node:/,
    resolve: { alias: { prettier: join(ROOT, 'build/prettier.ts') } },
    plugins: [requireBuiltins(), withoutNpx(), writeLicenses()],
  })
  await bundle.write({ dir: folder, format: 'esm', codeSplitting: false, comments: false })
  await bundle.close()
  return {
    main: join(folder, 'hookbench.js'),
    assets: Object.fromEntries(packageFiles().map((path) => [path, copyAsset(path, folder)])),
    licenses: readFileSync(join(folder, 'licenses.txt'), 'utf8'),
  }
}

/** Removes `npx` from messages, because a machine without Node has no npx. */
function withoutNpx(): Plugin {
  return { name: 'without-npx', renderChunk: callDirectly }
}

/** Replaces `npx hookbench` with `hookbench`, but keeps `npx hookbench` at the end of a quotation. */
function callDirectly(text: string): string {
  return text.replaceAll(/npx hookbench(?!\\")/g, 'hookbench')
}

function copyAsset(path: string, folder: string): string {
  const copy = join(folder, 'assets', path)
  mkdirSync(dirname(copy), { recursive: true })
  writeFileSync(copy, callDirectly(readFileSync(join(ROOT, path), 'utf8')))
  return copy
}

/** Lists the files besides the code: the spec, the store schema, the receivers of `init`, and the dashboard. */
function packageFiles(): readonly string[] {
  const { files }: { readonly files: readonly string[] } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  return [...files.filter((path) => /^(spec|sandbox|contracts|docs)\//.test(path)), 'dist/dashboard'].flatMap(
    listFiles,
  )
}

/** Returns the path of a file, or the paths of all files in a folder. */
function listFiles(path: string): readonly string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path]
  return readdirSync(join(ROOT, path)).flatMap((name) => listFiles(`${path}/${name}`))
}
