import { crc32 } from 'node:zlib'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import type { Log } from '../../../sandbox/engine/state/log.ts'
import type { Note } from './notes.ts'

/** One world of the scenario, from a reset or a restored snapshot to the next. */
interface World {
  readonly sums: number[]
  /** How long it is when nothing is torn. */
  readonly lengths: Set<number>
  /** What was acknowledged. */
  kept: number
}

/** What a store has to hold after what was said so far. */
export interface Promises {
  add(note: Note): void
  /** The longest log that was acknowledged, in the world that was acknowledged last. */
  readonly kept: number
  /** What is wrong with what a log holds; undefined if all that was acknowledged is there, and the rest whole or absent. */
  findBroken(log: Log): string | undefined
}

export function createPromises(): Promises {
  const worlds: World[] = [{ sums: [], lengths: new Set([0]), kept: 0 }]
  let acknowledged = 0

  function worldOf(number: number): World {
    const world = worlds[number]
    if (!world) throw new RangeError(`The scenario has no world ${number}`)
    return world
  }

  function findBrokenAs({ sums, lengths, kept }: World, found: readonly number[]): string | undefined {
    if (found.length < kept) return `entry ${kept} was acknowledged, and ${found.length} are there`
    if (!lengths.has(found.length)) return `a write is torn: ${found.length} entries are there`
    const wrong = found.findIndex((sum, index) => sum !== sums[index])
    return wrong < 0 ? undefined : `entry ${wrong + 1} is not what was written`
  }

  return {
    get kept() {
      return worldOf(acknowledged).kept
    },
    add(note) {
      if (note.kind === 'batch') {
        const { sums, lengths } = worldOf(note.world)
        sums.length = note.from - 1
        sums.push(...note.sums)
        lengths.add(sums.length)
      } else if (note.kind === 'world')
        worlds[note.world] = { sums: [...note.sums], lengths: new Set([note.sums.length]), kept: 0 }
      else if (note.kind === 'kept') {
        acknowledged = note.world
        worldOf(note.world).kept = note.position
      }
    },
    findBroken(log) {
      const found = Array.from({ length: log.length }, (_, index) => sumOf(log.read(index + 1)))
      const problems = worlds.slice(acknowledged).map((world) => findBrokenAs(world, found))
      return problems.includes(undefined) ? undefined : problems[0]
    },
  }
}

/** Of what is told apart in a log. */
export function sumOf({ head, body }: Entry): number {
  return crc32(`${JSON.stringify(head)} ${body}`)
}
