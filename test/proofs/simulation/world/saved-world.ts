import { Readable } from 'node:stream'
import { createOwnSnapshots } from '../../../../sandbox/compose/own-snapshots.ts'
import type { Incarnation } from './incarnation.ts'
import { BENCH_TOKEN } from './platform.ts'

/** A world at a moment, with its history so far, to go back to. */
export interface SavedWorld {
  /** Takes the world at rest in place of the one before. */
  save(): Promise<void>
  /** Restores what was saved last, or else the present world: from then on the history is the one of that moment. */
  restore(): Promise<void>
}

/** `histories` are the lists that the history consists of. */
export function createSavedWorld(
  sandbox: () => Incarnation,
  histories: readonly (readonly unknown[] & { length: number })[],
): SavedWorld {
  const snapshots = () => createOwnSnapshots(sandbox().assembled.bench, BENCH_TOKEN)
  let saved: { readonly pieces: readonly Uint8Array[]; readonly lengths: readonly number[] } | undefined

  async function take() {
    await sandbox().assembled.idle()
    const pieces: Uint8Array[] = []
    for await (const piece of snapshots().read()) pieces.push(piece)
    return { pieces, lengths: histories.map((list) => list.length) }
  }

  return {
    async save() {
      saved = await take()
    },
    async restore() {
      saved ??= await take()
      const { pieces, lengths } = saved
      await sandbox().assembled.idle()
      await snapshots().putBack(Readable.from(pieces))
      for (const [index, list] of histories.entries()) list.length = lengths[index] ?? 0
    },
  }
}
