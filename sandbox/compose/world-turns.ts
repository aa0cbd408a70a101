import type { RealTime } from '../engine/core/ports.ts'

export type WorldTurns = ReturnType<typeof createWorldTurns>

const MOST_A_TURN = 2
const BUSY_MS = 1_000

/** Creates a fair scheduler of worlds. The work of one must not wait for all work of another. */
export function createWorldTurns({ soon, elapsed }: Pick<RealTime, 'soon' | 'elapsed'>) {
  const begun = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  /** The last two started worlds. */
  let last = ''
  let otherAt = Number.NEGATIVE_INFINITY
  let isArmed = false

  function isAlone(world: string): boolean {
    if (world !== last) {
      if (last !== '') otherAt = elapsed()
      last = world
    }
    return waiting.size === 0 && elapsed() - otherAt > BUSY_MS
  }

  function arm(): void {
    if (isArmed) return
    isArmed = true
    soon(nextTurn)
  }

  function nextTurn(): void {
    isArmed = false
    begun.clear()
    for (const [world, queue] of waiting) {
      const next = queue.splice(0, MOST_A_TURN)
      begun.set(world, next.length)
      if (queue.length === 0) waiting.delete(world)
      for (const begin of next) begin()
    }
    if (waiting.size > 0) arm()
  }

  return {
    /** Returns undefined if the world may start now. Otherwise resolves when it may. A world alone never waits. */
    take(world: string): Promise<void> | undefined {
      if (isAlone(world)) return undefined
      arm()
      const count = begun.get(world) ?? 0
      const queue = waiting.get(world)
      if (!queue && count < MOST_A_TURN) {
        begun.set(world, count + 1)
        return undefined
      }
      return new Promise((resolve) => {
        if (queue) queue.push(resolve)
        else waiting.set(world, [resolve])
      })
    },
  }
}
