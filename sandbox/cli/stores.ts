import { basename } from 'node:path'
import { acceptLoss, isUnguarded } from '../adapters/sqlite/verify-store.ts'

export function unguardedOf(path: string): string | undefined {
  if (!isUnguarded(path)) return undefined
  return `Store "${path}" has no file "${basename(path)}.head" with the synced position, so the sandbox cannot detect an earlier loss`
}

export function acceptLossOf(path: string): string | undefined {
  const loss = acceptLoss(path)
  return loss === undefined
    ? undefined
    : `Store "${path}" has lost entries, and the sandbox continues without these entries: ${loss}`
}
