import type { Entry } from '../../sandbox/engine/state/entries.ts'
import {
  createMemoryLog,
  StorageError,
  type Log,
  type StorageErrorKind,
} from '../../sandbox/engine/state/log.ts'

/** A log whose disk does as a test says. */
interface FailingLog {
  readonly log: Log
  /** How often all heads were read. */
  readonly loads: number
  /** From now on it fails so at each write that `applies` to; at every one if left out. */
  fail(kind: StorageErrorKind, applies?: (entries: readonly Entry[]) => boolean): void
  /** From now on it works. */
  mend(): void
}

export function createFailingLog(memory: Log = createMemoryLog()): FailingLog {
  let failure: { readonly kind: StorageErrorKind; applies(entries: readonly Entry[]): boolean } | undefined
  let loads = 0

  function refuse(entries: readonly Entry[]): void {
    if (failure?.applies(entries)) throw new StorageError(failure.kind, `The store is ${failure.kind}`)
  }

  return {
    log: {
      ...memory,
      get length() {
        return memory.length
      },
      append(entries) {
        refuse(entries)
        memory.append(entries)
      },
      replace(entries) {
        refuse(entries)
        memory.replace?.(entries)
      },
      heads(after = 0) {
        if (after === 0) loads++
        return memory.heads(after)
      },
      recover: () => failure && refuse([]),
    },
    get loads() {
      return loads
    },
    fail(kind, applies = () => true) {
      failure = { kind, applies: (entries) => entries.length === 0 || applies(entries) }
    },
    mend() {
      failure = undefined
    },
  }
}
