import { copyFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from './installed-package.ts'

/** Makes the root of a machine that has a program, at its path, the libraries that it is linked with, and nothing else that runs. */
export function makeCleanRoot(program: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookbench-root-')))
  for (const file of [program, ...librariesOf(program)]) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    copyFileSync(realpathSync(file), join(root, file))
  }
  addDevices(root)
  mkdirSync(join(root, 'etc'), { recursive: true })
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  return root
}

/** What the loader of programs finds for it. */
function librariesOf(program: string): readonly string[] {
  return [...run('ldd', [program], '/').matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path)
}

/** What each machine has. */
function addDevices(root: string): void {
  mkdirSync(join(root, 'dev'), { recursive: true })
  for (const device of ['null', 'zero', 'random', 'urandom'])
    cpSync(`/dev/${device}`, join(root, 'dev', device), { recursive: true })
  mkdirSync(join(root, 'tmp'), { recursive: true, mode: 0o777 })
}
