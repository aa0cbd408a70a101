import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { commandLine } from '../engine/core/command-line.ts'
import { findHolder } from '../adapters/data-folder.ts'
import { describeCutTail } from '../adapters/sqlite/cut-tail.ts'
import { verifyStore } from '../adapters/sqlite/verify-store.ts'
import { UsageError } from './failure.ts'
import { fine, problem, warning, type Finding } from './finding.ts'

/** A store that is damaged all over need not fill the screen. */
const MOST_SHOWN = 20
const ABOUT = 'store'

/** Reads all of the store of a folder in which no sandbox runs, and leaves it as it is. Throws UsageError if one does. */
export function storeFindings(data: string): Finding[] {
  const folder = resolve(data)
  const path = join(folder, 'store.sqlite')
  refuseRunning(folder, data)
  if (!existsSync(path)) return [fine(ABOUT, `There is no store in "${folder}"`)]
  const { entries, problems } = verifyStore(path)
  const tail = describeCutTail(path)
  const count = entries.toLocaleString('en')
  return [
    ...(tail === undefined ? [] : [warning(ABOUT, tail, 'nothing: what was acknowledged before is whole')]),
    ...problems.slice(0, MOST_SHOWN).map((message) => problem(ABOUT, message)),
    ...(problems.length > MOST_SHOWN
      ? [problem(ABOUT, `${problems.length - MOST_SHOWN} more are damaged`)]
      : []),
    problems.length === 0
      ? fine(ABOUT, `Store "${path}": ${count} entries, all of them as they were written`)
      : problem(
          ABOUT,
          `Store "${path}" is damaged`,
          'restore it, move it and the "-wal" file beside it away, or use another --data folder',
        ),
  ]
}

function refuseRunning(folder: string, data: string): void {
  const holder = existsSync(folder) ? findHolder(folder) : undefined
  if (!holder) return
  throw new UsageError(
    `Cannot read all of the store of "${data}": process ${holder.pid} at ${holder.bench_url} is using it; stop it first with "${commandLine('down', data)}"`,
  )
}
