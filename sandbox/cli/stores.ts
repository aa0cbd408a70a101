import { basename } from 'node:path'
import { acceptLoss, isUnguarded } from '../adapters/sqlite/verify-store.ts'

/** Warns of a store with entries and without its head file; undefined if there is nothing to warn of. */
export function unguardedOf(path: string): string | undefined {
  if (!isUnguarded(path)) return undefined
  return `Store "${path}" has no file "${basename(path)}.head" with the synced position, so a loss before this start stays unnoticed`
}

/** Accepts the loss of a store, and describes it; undefined if there is none. */
export function acceptLossOf(path: string): string | undefined {
  const loss = acceptLoss(path)
  return loss === undefined ? undefined : `Store "${path}" continues after a loss: ${loss}`
}
