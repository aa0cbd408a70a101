import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { findTarget, OWN_NAME } from '../../build/single-file/targets.ts'
import { VERSION } from '../../sandbox/engine/core/version.ts'

export const TARBALL = `hookbench-${VERSION}.tgz`

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** True if the tests start the single file of `npm run bundle`. */
export const IS_SINGLE_FILE = process.env['HOOKBENCH_PROGRAM'] === 'single-file'

const INSTALLED = 'HOOKBENCH_TEST_PACKAGE'

const ofRun = process.env[INSTALLED]

export const SINGLE_FILE = join(ROOT, `programs/hookbench-${OWN_NAME}`, findTarget(OWN_NAME).program)

export const ARCHIVE = join(ROOT, `programs/hookbench-${OWN_NAME}.tar.gz`)

/** The program from the installed package or from the sources. */
export const PROGRAM = join(ofRun ?? ROOT, 'bin/hookbench.js')

export const PROGRAM_COMMAND: readonly [command: string, ...args: readonly string[]] = IS_SINGLE_FILE
  ? [SINGLE_FILE]
  : [process.execPath, PROGRAM]

/** The command name in the program's messages. */
export const CALL = IS_SINGLE_FILE ? 'hookbench' : 'npx hookbench'

export function installForRun(folder: string): void {
  process.env[INSTALLED] = installPackage(folder)
}

export function installPackage(folder: string): string {
  const installed = join(folder, 'node_modules/hookbench')
  linkDependencies(folder, 'msw')
  mkdirSync(installed)
  if (ofRun !== undefined) {
    cpSync(ofRun, installed, { recursive: true })
    cpSync(join(ofRun, '../..', TARBALL), join(folder, TARBALL))
    return installed
  }
  packAlone(folder)
  run('tar', ['-xzf', TARBALL, '-C', installed, '--strip-components=1'], folder)
  return installed
}

/** Packs under a lock, because each build removes the output of the previous build. */
export function packAlone(folder: string): void {
  const lock = new DatabaseSync(join(ROOT, 'node_modules/.hookbench-pack.sqlite'), { timeout: 600_000 })
  // The lock is released when the process ends.
  lock.exec('BEGIN EXCLUSIVE')
  try {
    run('npm', ['pack', '--pack-destination', folder], ROOT)
  } finally {
    lock.close()
  }
}

const OF_USER = ['@types', 'fast-check', 'msw', 'vitest']

/** Links the packages that a user's project needs, with the given version of msw. Downloads nothing. */
export function linkDependencies(folder: string, msw: string, type: 'commonjs' | 'module' = 'module'): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const name of OF_USER)
    symlinkSync(join(ROOT, 'node_modules', name === 'msw' ? msw : name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'platform', private: true, type }))
}

export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

export interface Weight {
  readonly files: number
  readonly bytes: number
}

export function weigh(folder: string): Weight {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((stat) => stat.isFile())
    .map(({ size }) => size)
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

export function countPackages(folder: string): number {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return Object.keys(packages).filter((path) => existsSync(join(folder, path))).length
}

export const BARS = { bytes: 25_000_000, packages: 40, seconds: 5 } as const

export function formatBytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

export function readRows(page: string): ReadonlyMap<string, number> {
  const rows = [...page.matchAll(/^\| ([^|]+?) +\| ([\d.]+)[^|]*\|/gm)]
  return new Map(rows.map(([, name = '', value = '']) => [name, Number(value)]))
}
