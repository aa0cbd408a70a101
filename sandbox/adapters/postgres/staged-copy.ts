import { StorageError, type StagedEntries } from '../../engine/state/log.ts'
import { appendStaged } from './append-rows.ts'
import type { Database } from './database.ts'
import { createEntryCopy, type EntryCopy } from './entry-copy.ts'
import { beginGeneration } from './generations.ts'
import type { RemoteWriter } from './remote-writer.ts'
import { removeGenerations } from './world-rows.ts'

interface StagedCopyPorts {
  readonly world: string
  readonly writer: Pick<RemoteWriter, 'fence' | 'switchTo' | 'published'>
  /** Takes the place of the copy that counts. */
  readonly adopt: (copy: EntryCopy) => void
}

/** How many rows go at once. */
const ROWS_AT_ONCE = 1_000

/** Another generation: in a copy of its own, and in PostgreSQL beside the one that counts, until one statement switches to it. */
export function createStagedCopy(
  database: Database,
  { world, writer, adopt }: StagedCopyPorts,
): StagedEntries {
  const copy = createEntryCopy(world, { length: 0 })
  let generation: number | undefined
  let shipped = 0

  const fenced = () => new StorageError('fenced', `World "${world}" is written by another node now`)

  async function begin(): Promise<number> {
    const begun = await beginGeneration(database, writer.fence)
    if (begun === undefined) throw fenced()
    return begun
  }

  async function prepare(): Promise<void> {
    generation ??= await begin()
    while (shipped < copy.length) {
      const rows = copy.rows(shipped + 1, ROWS_AT_ONCE)
      const place = { ...writer.fence, generation, length: shipped }
      if (!(await appendStaged(database, place, rows))) throw fenced()
      shipped += rows.length
    }
  }

  return {
    add(entries) {
      copy.append(entries)
      copy.confirm(entries.length)
    },
    prepare,
    commit: () => writer.switchTo({ generation: generation ?? 0, length: shipped }),
    publish() {
      adopt(copy)
      writer.published()
      forget({ below: generation ?? 0 })
    },
    discard() {
      copy.close()
      if (generation !== undefined) forget({ below: generation + 1, except: writer.fence.generation })
    },
  }

  /** Beside the work at hand; who opens the world next removes what is left. */
  function forget(which: Parameters<typeof removeGenerations>[2]): void {
    void removeGenerations(database, writer.fence.world, which).catch(() => {})
  }
}
