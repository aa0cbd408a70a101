import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { TARBALL } from '../support/installed-package.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A folder outside of this checkout, with the package as it would be published. */
export interface Place {
  readonly tarball: string
  /** Makes a folder in it that has nothing in it but a `package.json`. */
  makeFolder(name: string): string
  remove(): void
}

export async function openPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-published-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT })
  return {
    tarball: join(folder, TARBALL),
    makeFolder(name) {
      const path = join(folder, name)
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'platform', private: true }))
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}

interface RunOptions {
  readonly cwd: string
  /** The Node under which it runs; the one of this process if left out. */
  readonly node?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end, whatever that is. */
export async function attempt(
  command: string,
  args: readonly string[],
  { cwd, node = process.execPath, env = {} }: RunOptions,
): Promise<Ended> {
  const path = [dirname(node), process.env['PATH']].join(delimiter)
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

/** Runs a command to its end, and gives what it printed. Throws if it failed. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await attempt(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

/** Installs packages, from what npm has kept of them where it has; nothing of theirs is run. */
export async function install(packages: readonly string[], options: RunOptions): Promise<void> {
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...quietly, ...packages], options)
}
