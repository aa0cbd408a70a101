import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Builds and packs the program, and unpacks it like an npm installation. Returns its path. */
export function packProgram(folder: string): string {
  const modules = join(folder, 'packed/node_modules')
  const installed = join(modules, 'hookbench')
  const program = join(installed, 'bin/hookbench.js')
  if (existsSync(program)) return program
  mkdirSync(installed, { recursive: true })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1'])
  return program
}
