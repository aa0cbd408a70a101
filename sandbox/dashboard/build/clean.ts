import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Removes what was built, but not the page: that is replaced only where it is stale, since a sandbox may be serving it. */
const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url))
const names = existsSync(DIST) ? readdirSync(DIST) : []
for (const name of names) {
  if (name !== 'dashboard') rmSync(`${DIST}${name}`, { recursive: true, force: true })
}
