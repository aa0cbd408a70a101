import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Builds the dashboard into dist/dashboard. With `--if-stale`, builds only if the size or the time of a source has changed. */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PARTS = ['build', 'sandbox', 'spec', 'contracts', 'bin', 'package-lock.json']
const BUILT = join(ROOT, 'dist/dashboard/index.html')
const KEPT = join(ROOT, 'node_modules/.cache/hookbench/dashboard')

function describeSources(): string {
  const hash = createHash('sha256')
  for (const part of PARTS) {
    const path = join(ROOT, part)
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
      : ['']
    for (const file of files) {
      const { size, mtimeMs } = statSync(join(path, file))
      hash.update(`${part}/${file} ${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

const present = describeSources()
const isFresh = existsSync(BUILT) && existsSync(KEPT) && readFileSync(KEPT, 'utf8') === present
if (!isFresh || !process.argv.includes('--if-stale')) {
  try {
    // Vite includes debugging code unless NODE_ENV is `production`, and a test runner sets `test`.
    process.env['NODE_ENV'] = 'production'
    const { build } = await import('vite')
    const { viteConfig } = await import('./vite-config.ts')
    await build(viteConfig)
    mkdirSync(dirname(KEPT), { recursive: true })
    writeFileSync(KEPT, present)
  } catch (error) {
    if (!process.argv.includes('--or-go-on')) throw error
    // The build continues, because the sandbox works without the dashboard.
    console.error('Cannot build the dashboard. To try again, run "npm run dashboard":', error)
  }
}
