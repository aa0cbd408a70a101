import { Readable } from 'node:stream'
import { createOwnSnapshots } from '../../../../sandbox/compose/own-snapshots.ts'
import type { Incarnation } from './incarnation.ts'
import { BENCH_TOKEN, type Platform } from './platform.ts'

/** What takes the place of the world: the one that was saved last, or an empty one. */
export type Successor = 'saved' | 'empty'

/** A world at a moment, with its history so far, to go back to. */
export interface SavedWorld {
  readonly isSaved: boolean
  /** Saves the world at rest in place of the one before. */
  save(): Promise<void>
  /** Replaces the world at rest. */
  replaceBy(successor: Successor): Promise<void>
  /** The history is the one of the successor from now on, if it has replaced the world, or else the one of the world before. */
  rewind(successor: Successor, isDone: boolean): void
}

export interface SavedWorldPorts {
  readonly sandbox: () => Incarnation
  readonly platform: Pick<Platform, 'bench'>
  /** The lists that the history consists of. */
  readonly histories: readonly unknown[][]
}

export function createSavedWorld({ sandbox, platform, histories }: SavedWorldPorts): SavedWorld {
  const snapshots = () => createOwnSnapshots(sandbox().assembled.bench, BENCH_TOKEN)
  /** How long the lists were when the successor was published: what follows is its own. */
  let publishedAt: readonly number[] | undefined
  let saved: { readonly pieces: readonly Uint8Array[]; readonly histories: readonly unknown[][] } | undefined

  return {
    get isSaved() {
      return saved !== undefined
    },
    async save() {
      await sandbox().assembled.idle()
      const pieces: Uint8Array[] = []
      for await (const piece of snapshots().read()) pieces.push(piece)
      saved = { pieces, histories: histories.map((list) => [...list]) }
    },
    async replaceBy(successor) {
      const { assembled } = sandbox()
      publishedAt = undefined
      await assembled.idle()
      assembled.onReplaced(() => (publishedAt ??= histories.map(({ length }) => length)))
      if (successor === 'empty') await platform.bench('POST', '/reset')
      else await snapshots().putBack(Readable.from(saved?.pieces ?? []))
    },
    rewind(successor, isDone) {
      for (const [index, list] of histories.entries()) {
        const end = publishedAt?.[index] ?? list.length
        const beginning = successor === 'saved' ? (saved?.histories[index] ?? []) : []
        if (isDone) list.splice(0, end, ...beginning)
        else list.length = end
      }
    },
  }
}
