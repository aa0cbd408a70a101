/** The number of entries ever added, and the sum of their checksums. */
export interface StoreHead {
  readonly length: number
  readonly sum: number
}

/** Makes transactions durable. A store in memory has none. Each function throws StorageError. */
export interface Disk {
  /** Called before and after each transaction. Throws `gone` if the files have changed. */
  check(): void
  /** Called after a transaction of about this many characters. */
  written(characters: number): void
  /**
   * Resolves when all earlier writes survive a crash of the machine. `head` is the present state of the
   * store.
   */
  sync(head: StoreHead): Promise<void>
  /** Blocks until then. */
  syncNow(head: StoreHead): void
  /** Returns if a full disk has space again and all earlier writes are durable. */
  recover(head: StoreHead): void
  /**
   * True if `sync` waits for another machine. Then `syncNow` is impossible, and every write waits for `sync`.
   */
  readonly isRemote?: boolean
  closeWal(): void
  closeHead(): void
}
