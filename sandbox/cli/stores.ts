import { basename } from 'node:path'
import { acceptLoss, isUnguarded } from '../adapters/sqlite/verify-store.ts'

/** Warns of a store without its head file. Undefined if all is well. */
export function unguardedOf(path: string): string | undefined {
  if (!isUnguarded(path)) return undefined
  return `Store "${path}" has no file "${basename(path)}.head" with the synced position, so a loss before this start stays unnoticed`
}

/** Accepts the loss of a store and describes it. Undefined without a loss. */
export function acceptLossOf(path: string): string | undefined {
  const loss = acceptLoss(path)
  return loss === undefined ? undefined : `Store "${path}" continues after a loss: ${loss}`
}
