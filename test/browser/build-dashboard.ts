import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export function setup(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync(process.execPath, ['build/dashboard.ts', '--if-stale'], {
    cwd: root,
    stdio: 'inherit',
  })
}
