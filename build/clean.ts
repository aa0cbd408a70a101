import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Removes the build output, except the page. A running sandbox may still serve the page. */
const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const names = existsSync(DIST) ? readdirSync(DIST) : []
for (const name of names) {
  if (name !== 'dashboard') rmSync(`${DIST}${name}`, { recursive: true, force: true })
}
