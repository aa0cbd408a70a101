import type { GroupCommit } from './group-commit.ts'
import { removeSomeRows } from './queries/world-rows.ts'
import { createWorlds } from './queries/worlds.ts'
import type { Sql } from './sql.ts'

/** The removal of some rows writes so much. */
const WRITTEN = { entries: 0, sum: 0, characters: 128_000 }

/** Removes worlds next to the work at hand: to remove a large one at once would take a second. */
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
    /** Removes the world with this number, a few rows at a time. The next start removes the rest that is left at a stop. */
    erase: (number: number) => void erase(number).catch(() => {}),
    stop(): void {
      isStopped = true
    },
  }
}
