import type { Entry, Head } from './entries.ts'

/**
 * What entries outlive once they are kept: a crash of the process, or of the whole machine, too, which takes the disk's time.
 */
export type Outlived = 'process' | 'machine'

/** Where entries are kept, in order. A driver knows nothing of what they mean. */
export interface Log {
  /** How many entries there are; the next one gets this number plus one. */
  readonly length: number
  /** Keeps all of them or, if it throws, none. Returns when they outlive that, the machine if left out. */
  append(entries: readonly Entry[], outlived?: Outlived): void
  /** Keeps these in place of all others or, if it throws, changes nothing. */
  replace(entries: readonly Entry[]): void
  /** The entry with this number. Throws if there is none. */
  read(position: number): Entry
  /** Every head from the first on. */
  heads(): Iterable<Head>
  close(): void
}

/** The log cannot take or give entries: the disk is full, or the file is damaged. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly kind: 'full' | 'damaged' | 'failed'

  constructor(kind: StorageError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Keeps entries for as long as the process lives. */
export function createMemoryLog(): Log {
  let entries: Entry[] = []
  return {
    get length() {
      return entries.length
    },
    append(added) {
      for (const entry of added) entries.push(entry)
    },
    replace(others) {
      entries = [...others]
    },
    read(position) {
      const entry = entries[position - 1]
      if (!entry) throw new RangeError(`Cannot read entry ${position}: the log has ${entries.length}`)
      return entry
    },
    *heads() {
      for (const { head } of entries) yield head
    },
    close() {},
  }
}
