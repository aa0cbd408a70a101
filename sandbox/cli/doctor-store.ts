import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { commandLine } from '../engine/core/command-line.ts'
import { findHolder, pathsInFolder } from '../adapters/data-folder.ts'
import { verifyStore, type VerifiedStore } from '../adapters/sqlite/verify-store.ts'
import { hasStore } from '../adapters/sqlite/head-file.ts'
import { LOSS_REMEDY } from '../adapters/sqlite/database.ts'
import { UsageError } from './failure.ts'
import { fine, problem, warning, type Finding } from './finding.ts'
import { unguardedOf } from './stores.ts'

const MAX_SHOWN = 20
const ABOUT = 'store'

/** Verifies the complete store without changing it. Throws UsageError if a sandbox is running. */
export function storeFindings(data: string): Finding[] {
  const folder = resolve(data)
  refuseRunning(folder, data)
  const { storePath } = pathsInFolder(folder)
  if (!hasStore(storePath)) return [fine(ABOUT, `No store in "${folder}"`)]
  const verified = verifyStore(storePath)
  const unguarded = verified.problems.length === 0 ? unguardedOf(storePath) : undefined
  return [
    ...(unguarded === undefined
      ? []
      : [warning(ABOUT, unguarded, 'no action needed, because the next start writes the file')]),
    ...verdictsOf(storePath, verified),
  ]
}

function verdictsOf(path: string, { entries, problems, loss }: VerifiedStore): Finding[] {
  const about = `Store "${path}"`
  const bad = (text: string, remedy?: string) => problem(ABOUT, text, remedy)
  if (problems.length === 0 && loss === undefined)
    return [fine(ABOUT, `${about}: all ${entries.toLocaleString('en')} entries are intact`)]
  return [
    ...problems.slice(0, MAX_SHOWN).map((message) => bad(message)),
    ...(problems.length > MAX_SHOWN
      ? [bad(`The store has ${problems.length - MAX_SHOWN} more problems`)]
      : []),
    loss === undefined || problems.length > 0
      ? bad(
          `${about} is damaged`,
          'restore the store, move it away with its "-wal" and ".head" files, or use another --data folder',
        )
      : bad(`${about} has lost entries: ${loss}`, LOSS_REMEDY),
  ]
}

function refuseRunning(folder: string, data: string): void {
  const holder = existsSync(folder) ? findHolder(folder) : undefined
  if (!holder) return
  throw new UsageError(
    `Cannot read the complete store of "${data}": process ${holder.pid} at ${holder.bench_url} uses it. Stop that process first with "${commandLine('down', data)}"`,
  )
}
