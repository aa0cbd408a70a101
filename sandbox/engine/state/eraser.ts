import type { GroupCommit } from './group-commit.ts'
import { removeSomeRows } from './queries/world-rows.ts'
import { createWorlds } from './queries/worlds.ts'
import type { Sql } from './sql.ts'

/** The estimated size of one batch of removed rows. */
const WRITTEN = { entries: 0, sum: 0, characters: 128_000 }

/** Removes worlds in small batches. If all rows were removed at once, the removal could block the process for a second. */
export function createEraser(sql: Sql, commits: GroupCommit, soon: (run: () => void) => void) {
  let isStopped = false

  async function erase(number: number): Promise<void> {
    await new Promise<void>((resolve) => soon(resolve))
    if (isStopped) return
    let isOver = false
    await commits.add(() => {
      isOver = !removeSomeRows(sql, number)
      if (isOver) createWorlds(sql).removeRow(number)
      commits.note(WRITTEN)
    }, 'process')
    if (!isOver) await erase(number)
  }

  return {
    /** Removes rows in batches. After a stop, the next start removes the remaining rows. */
    erase: (number: number) => void erase(number).catch(() => {}),
    /** Commits the removed rows, so that the database can be closed. */
    stop(): void {
      isStopped = true
      commits.commitNow()
    },
  }
}
