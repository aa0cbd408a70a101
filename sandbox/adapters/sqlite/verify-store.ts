import { FORMAT } from '../../engine/state/schema.ts'
import { createSql } from '../../engine/state/sql.ts'
import { StorageError } from '../../engine/state/storage-error.ts'
import { verifyTables } from '../../engine/state/verify.ts'
import { inspect, withStore } from './database.ts'
import { findLoss, readHeadFile, removeHead } from './head-file.ts'
import { withStorageErrors } from './storage-errors.ts'

export interface VerifiedStore {
  readonly entries: number
  readonly problems: readonly string[]
  /** A description of the synced entries that the store has lost. Undefined if no entry was lost. */
  readonly loss: string | undefined
}

/** Verifies every row of a store without changing the store. Throws StorageError `unusable` if another program uses the store. */
export function verifyStore(path: string): VerifiedStore {
  const problems: string[] = []
  try {
    const found = withStorageErrors(path, () =>
      withStore(path, (database, format) => {
        for (const { integrity_check: state } of database.prepare('PRAGMA integrity_check').all())
          if (state !== 'ok') problems.push(`SQLite: ${String(state)}`)
        if (format < FORMAT)
          throw new StorageError(
            'unusable',
            `Cannot verify store "${path}": an earlier version wrote the store. Start a sandbox on the store once with "npx hookbench up"`,
          )
        const { entries, problems: described } = verifyTables(createSql(database), path)
        problems.push(...Array.from(described, toSentence))
        return { entries, loss: findLoss(path, database) }
      }),
    )
    return { ...(found ?? { entries: 0, loss: findLoss(path, undefined) }), problems }
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'damaged') throw error
    return { entries: 0, problems: [...problems, toSentence(error.detail)], loss: undefined }
  }
}

function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Accepts the loss of entries, so that the next start uses the rest. Returns a description of the loss. */
export function acceptLoss(path: string): string | undefined {
  const loss = withStorageErrors(path, () => inspect(path)).loss
  if (loss !== undefined) removeHead(path)
  return loss
}

/** Returns true if the store has entries but no head file. Without a head file, a loss before the next start would go unnoticed. */
export function isUnguarded(path: string): boolean {
  if (readHeadFile(path) !== undefined) return false
  return !withStorageErrors(path, () => inspect(path)).isEmpty
}
