/** The state of a store: how many entries were ever added, and the sum of their checksums. */
export interface StoreHead {
  readonly length: number
  readonly sum: number
}

/** Makes transactions durable. A store in memory has none. Each function throws StorageError. */
export interface Disk {
  /** Before and after each transaction: throws `gone` if the files are not the same any more. */
  check(): void
  /** After a transaction of about so many characters. */
  written(characters: number): void
  /** Resolves when everything written so far survives a crash of the machine. `head` is the state of the store now. */
  sync(head: StoreHead): Promise<void>
  /** The same, without other work meanwhile. */
  syncNow(head: StoreHead): void
  /** After `full`: returns if there is room again, and everything written so far is durable. */
  recover(head: StoreHead): void
  /** True if `sync` waits for another machine. `syncNow` cannot do so, so every write waits for `sync` then. */
  readonly isRemote?: boolean
  closeWal(): void
  closeHead(): void
}
