/** The state of a store: the number of all entries ever added, and the sum of their checksums. */
export interface StoreHead {
  readonly length: number
  readonly sum: number
}

/** The disk of a store, which makes transactions durable. An in-memory store has no disk. Each function can throw StorageError. */
export interface Disk {
  /** Called before and after each transaction. Throws `gone` if the files were deleted or replaced. */
  check(): void
  written(characters: number): void
  /** Resolves when all earlier writes would survive a crash of the machine. `head` is the current state of the store. */
  sync(head: StoreHead): Promise<void>
  syncNow(head: StoreHead): void
  /** Makes all earlier writes durable after the disk was full. Throws StorageError if the disk still has no space or fails. */
  recover(head: StoreHead): void
  /** True if `sync` waits for another machine. If true, `syncNow` is not possible, and every write waits for `sync`. */
  readonly isRemote?: boolean
  closeWal(): void
  closeHead(): void
}
