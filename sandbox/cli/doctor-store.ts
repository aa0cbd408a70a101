import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { commandLine } from '../engine/core/command-line.ts'
import { findHolder, placesOf } from '../adapters/data-folder.ts'
import { verifyStore } from '../adapters/sqlite/verify-store.ts'
import type { WorldStore } from '../adapters/world-files.ts'
import { UsageError } from './failure.ts'
import { fine, problem, warning, type Finding } from './finding.ts'
import { cutTailOf, findStores, ofWorld } from './stores.ts'

/** A store that is damaged all over need not fill the screen. */
const MOST_SHOWN = 20
const ABOUT = 'store'

/** Reads all of the stores of a folder, one for each world, in which no sandbox runs, and leaves them as they are. Throws UsageError if one does. */
export function storeFindings(data: string): Finding[] {
  const folder = resolve(data)
  refuseRunning(folder, data)
  const stores = findStores(placesOf(folder))
  if (stores.length === 0) return [fine(ABOUT, `There is no store in "${folder}"`)]
  return stores.flatMap(findingsOf)
}

function findingsOf(store: WorldStore): Finding[] {
  const { path } = store
  const { entries, problems } = verifyStore(path)
  const tail = cutTailOf(store)
  const count = entries.toLocaleString('en')
  const bad = (text: string, remedy?: string) => problem(ABOUT, ofWorld(store, text), remedy)
  return [
    ...(tail === undefined ? [] : [warning(ABOUT, tail, 'nothing: what was acknowledged before is whole')]),
    ...problems.slice(0, MOST_SHOWN).map((message) => bad(message)),
    ...(problems.length > MOST_SHOWN ? [bad(`${problems.length - MOST_SHOWN} more are damaged`)] : []),
    problems.length === 0
      ? fine(ABOUT, ofWorld(store, `Store "${path}": ${count} entries, all of them as they were written`))
      : bad(
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
