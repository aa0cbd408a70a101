import { crc32 } from 'node:zlib'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import type { Note } from './disk-model.ts'

/** A default world, which exists until the next reset or restore. */
interface World {
  readonly sums: number[]
  /** The allowed numbers of entries in the world: one for each end of a transaction. */
  readonly lengths: Set<number>
  kept: number
}

export interface FoundWorlds {
  readonly entries: readonly Entry[]
  readonly lengthByName: ReadonlyMap<string, number>
}

/** The content that the store must have, according to the recorded notes. */
export interface Promises {
  add(note: Note): void
  /** The number of acknowledged entries in the last acknowledged default world. */
  readonly kept: number
  /** Describes a violation: an acknowledged entry is missing, or a transaction is incomplete. */
  findBroken(found: FoundWorlds): string | undefined
}

export function createPromises(): Promises {
  const worlds: World[] = [{ sums: [], lengths: new Set([0]), kept: 0 }]
  /** The number of entries in each named world. Undefined while a named world is being added or removed. */
  const named = new Map<string, number | 'removed' | undefined>()
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
    return wrong < 0 ? undefined : `entry ${wrong + 1} is damaged`
  }

  function findBrokenNames(lengthByName: FoundWorlds['lengthByName']): string | undefined {
    for (const [name, kept] of named) {
      const found = lengthByName.get(name) ?? 'removed'
      if (kept !== undefined && found !== kept)
        return `world "${name}" was acknowledged as ${kept}, and is ${found}`
    }
    return undefined
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
      } else if (note.kind === 'named-world') named.set(note.name, undefined)
      else if (note.kind === 'kept-named-world') named.set(note.name, note.length)
    },
    findBroken({ entries, lengthByName }) {
      const found = entries.map(sumOf)
      const problems = worlds.slice(acknowledged).map((world) => findBrokenAs(world, found))
      return problems.includes(undefined) ? findBrokenNames(lengthByName) : problems[0]
    },
  }
}

export function sumOf({ head, body }: Entry): number {
  return crc32(`${JSON.stringify(head)} ${body}`)
}
