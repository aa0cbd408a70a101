import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../entries.ts'
import { packArchive } from './archive.ts'
import type { BundledProgram } from './bundle-code.ts'
import { nodeBinary, nodeLicense } from './node-binary.ts'
import { run } from './run.ts'
import { OWN_NAME, pinnedNode, type Target } from './targets.ts'

interface SingleFile {
  readonly path: string
  readonly bytes: number
  /** The path of the archive, which contains the program and its licenses. */
  readonly archive: string
  readonly archiveBytes: number
}

/** Builds the program of a target and its archive in `programs/`. Temporary files go to `folder`. */
export function makeSingleFile(target: Target, code: BundledProgram, folder: string): SingleFile {
  const isMac = target.name.startsWith('darwin-')
  if (isMac && process.platform !== 'darwin') {
    throw new Error(`Cannot make a single file for ${target.name} here: it has to be signed on macOS`)
  }
  checkNode(target)
  const name = `hookbench-${target.name}`
  const output = join(ROOT, 'programs', name)
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  const path = join(output, target.program)
  const config = join(folder, 'sea.json')
  writeFileSync(
    config,
    JSON.stringify(seaConfig(target, code, { output: path, executable: smallNode(target, folder) })),
  )
  run(process.execPath, ['--build-sea', config], ROOT)
  if (isMac) run('codesign', ['--force', '--sign', '-', path], ROOT)
  writeFileSync(join(output, 'LICENSES.txt'), licenses(target, code))
  const archive = packArchive(join(ROOT, 'programs'), name)
  return { path, bytes: statSync(path).size, archive, archiveBytes: statSync(archive).size }
}

/**
 * Returns the settings for Node's single-file builder. Includes compiled code only if the target is this machine, because the
 * code fits only one kind of machine. Disables Node's warnings.
 */
function seaConfig(
  { name }: Target,
  { main, assets }: BundledProgram,
  paths: { readonly output: string; readonly executable: string },
): object {
  return {
    ...paths,
    main,
    mainFormat: 'module',
    useCodeCache: name === OWN_NAME,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    execArgvExtension: 'none',
    disableExperimentalSEAWarning: true,
    assets,
  }
}

/** Throws unless Node has the pinned version, because the same version must build and run the program. */
function checkNode(target: Target): void {
  const pinned = pinnedNode(target)
  if (process.versions.node === pinned) return
  throw new Error(
    `Cannot make a single file with Node ${process.versions.node}: it needs Node ${pinned}. Run "npm ci" to install this Node version, and bundle with "npm run bundle"`,
  )
}

/**
 * Returns the path of a copy of Node without debug symbols, which make up a fifth of its size. Keeps the debug symbols unless the
 * target is this machine and this machine runs Linux and has `strip`.
 */
function smallNode(target: Target, folder: string): string {
  const binary = nodeBinary(target)
  if (target.name !== OWN_NAME || !target.name.startsWith('linux-')) return binary
  const copy = join(folder, target.nodeFile.replaceAll('/', '-'))
  copyFileSync(binary, copy)
  try {
    run('strip', [copy], ROOT)
    return copy
  } catch (error) {
    console.log(
      `Cannot remove the debug symbols from Node: ${error instanceof Error ? error.message : String(error)}`,
    )
    return binary
  }
}

function licenses(target: Target, { licenses: bundled }: BundledProgram): string {
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  return [`Hookbench\n\n${own}`, bundled, `Node.js ${pinnedNode(target)}\n\n${nodeLicense(target)}`].join(
    '\n',
  )
}
