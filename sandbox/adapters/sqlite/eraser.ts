import type { GroupCommit } from './group-commit.ts'
import { createWorldRows } from './queries/world-rows.ts'
import { createWorlds } from './queries/worlds.ts'
import type { Sql } from './sql.ts'

/** Removes worlds next to the work at hand: to remove a large one at once would take a second. */
export interface Eraser {
  /** Removes the world with this number, a few rows at a time. What is left at a stop, the next start removes. */
  erase(number: number): void
  stop(): void
}

/** What the removal of some rows writes. */
const CHARACTERS_AT_ONCE = 128_000

export function createEraser(
  sql: Sql,
  { add }: Pick<GroupCommit, 'add'>,
  soon: (run: () => void) => void,
): Eraser {
  const worlds = createWorlds(sql)
  const rows = createWorldRows(sql)
  let isStopped = false

  /** Returns true if nothing is left. */
  function eraseSome(number: number): boolean {
    if (rows.removeSome(number)) return false
    worlds.removeState(number)
    return true
  }

  async function erase(number: number): Promise<void> {
    await new Promise<void>((resolve) => soon(resolve))
    if (isStopped) return
    let isOver = false
    await add(() => {
      isOver = eraseSome(number)
      return { entries: 0, sum: 0, characters: CHARACTERS_AT_ONCE }
    }, 'process')
    if (!isOver) await erase(number)
  }

  return {
    erase: (number) => void erase(number).catch(() => {}),
    stop() {
      isStopped = true
    },
  }
}
