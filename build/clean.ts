import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Removes the build output, except the dashboard, because a running sandbox may still serve the dashboard. */
const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const names = existsSync(DIST) ? readdirSync(DIST) : []
for (const name of names) {
  if (name !== 'dashboard') rmSync(`${DIST}${name}`, { recursive: true, force: true })
}
