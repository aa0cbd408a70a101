import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { writeLicenses } from '../../sandbox/dashboard/build/licenses.ts'
import { ROOT } from '../entries.ts'
import { requireBuiltins } from '../require-builtins.ts'

/** What goes into a single file. */
export interface BundledProgram {
  /** The path of the code. */
  readonly main: string
  /** The paths of the files that the program reads while it runs, by their paths in the package. */
  readonly assets: Readonly<Record<string, string>>
  readonly licenses: string
}

/** Makes one module of the whole program, and copies of the files that it reads, in `folder`. */
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

/** Where there is no Node there is no npx: what messages say to type has to work. */
function withoutNpx(): Plugin {
  return { name: 'without-npx', renderChunk: callDirectly }
}

/** Where the words stand alone, in quotes within a text, they name the way by npx. */
function callDirectly(text: string): string {
  return text.replaceAll(/npx hookbench(?!\\")/g, 'hookbench')
}

function copyAsset(path: string, folder: string): string {
  const copy = join(folder, 'assets', path)
  mkdirSync(dirname(copy), { recursive: true })
  writeFileSync(copy, callDirectly(readFileSync(join(ROOT, path), 'utf8')))
  return copy
}

/** What the package has beside code that runs: the spec, the schema of the store, the receivers that `init` writes, and the dashboard. */
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
