import type { DatabaseSync } from 'node:sqlite'
import { openHeadFile, type StoreHead } from './head-file.ts'
import { extendHead } from './store-loss.ts'

/** Adds up what a store has, and states in its head file what was synced. */
export interface HeadKeeper {
  /** Returns a function that states what the store has now. Call it when this is synced. */
  take(): () => void
  /** States durably that these entries may replace all others. */
  announce(next: StoreHead): void
  /** These entries have replaced all others. */
  adopt(present: StoreHead): void
  close(): void
}

export function createHeadKeeper(path: string, database: DatabaseSync, contents: StoreHead): HeadKeeper {
  const file = openHeadFile(path)
  let present = contents
  let stated = 0
  let replacements = 0

  return {
    take() {
      present = extendHead(database, present)
      const [head, before] = [present, replacements]
      return () => {
        // A sync that took longer than a later one has nothing new to state.
        if (before !== replacements || head.length < stated) return
        stated = head.length
        file.write(head)
      }
    },
    announce: file.announce,
    adopt(replaced) {
      present = replaced
      stated = 0
      replacements++
    },
    close: file.close,
  }
}
