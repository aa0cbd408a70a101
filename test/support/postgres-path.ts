import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** Where Debian keeps the programs of each version, the latest first. */
function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  return versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

/** Where PostgreSQL's programs are that tests start a server of their own with; undefined if this machine has none. */
export const postgresPath = process.env['HOOKBENCH_POSTGRES_BIN'] ?? findPrograms()
