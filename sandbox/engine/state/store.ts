import { createSignal } from '../core/signal.ts'
import type { Entry, Head } from './entries.ts'
import type { GroupCommit } from './group-commit.ts'
import { createPastWorld } from './past-world.ts'
import { entriesAfter } from './queries/history.ts'
import { createSettingsView } from './queries/settings.ts'
import type { StoredWorld } from './queries/world.ts'
import type { WorldRows } from './queries/worlds.ts'
import { isConstraint } from './sql.ts'
import { ConflictError } from './storage-error.ts'
import type { Durability } from './synced-batches.ts'
import { addEntry, createView } from './view.ts'

export interface DatabaseParts {
  readonly path: string
  readonly commits: GroupCommit
  readonly worlds: WorldRows
  readonly soon: (run: () => void) => void
  open(number: number): StoredWorld
  /** Call this function after the last write to a world. */
  release(world: StoredWorld): void
  erase(number: number): void
}

export type Store = ReturnType<typeof openStore>

/** Opens the store of a world. `name` is undefined for a draft. */
export function openStore(parts: DatabaseParts, world: StoredWorld, name?: string) {
  const { commits, soon } = parts
  const durable = createSignal<Head, number>()
  const replacing = createSignal<void>()
  const past = createPastWorld(world, soon)

  return {
    ...createView(world),
    get length() {
      return world.state.length
    },
    /** Returns the reason why the store rejects changes, if any. Some problems, such as `full`, can end without a restart. */
    get problem() {
      return commits.state.problem
    },
    onProblem: commits.state.onChange,
    check: commits.check,
    recover: commits.recover,
    /**
     * Writes the entries, which are immediately visible to reads. Resolves when the entries are durable. Throws ConflictError.
     * Rejects with StorageError.
     */
    commit(entries: readonly Entry[], durability: Durability = 'machine'): Promise<void> {
      if (commits.state.problem) return Promise.reject(commits.state.problem)
      refuseSecondEnabled(world, entries)
      const first = world.state.length + 1
      return commits.add(
        () => writeEntries(commits, world, entries),
        durability,
        () => entries.forEach(({ head }, index) => durable.emit(head, first + index)),
      )
    },
    written: commits.written,
    /** Calls the listener with the head and the position of each durable entry. */
    subscribe: durable.subscribe,
    /** Calls the listener just before another world replaces this world, while the entries can still be read. */
    onReplacing: replacing.subscribe,
    /** Commits the open transaction. If the commit fails, rolls back its entries and sets `problem`. */
    writeNow: commits.commitNow,
    /** Returns all entries, oldest first. Throws an error if the world is replaced during the read. */
    entries: () => entriesAfter(world, 0, world.state.length),
    /** Reads the world's state at a time since the world was last replaced. */
    past,
    stage: () => stageWorld(parts, world, { name, onReplacing: replacing.emit }),
    close(): void {
      past.forget()
      try {
        if (!commits.state.problem) commits.flush()
      } finally {
        parts.release(world)
      }
    },
  }
}

export function openDraft({ commits, worlds, open }: DatabaseParts): StoredWorld {
  let number = 0
  commits.writeNow(() => (number = worlds.addDraft()))
  return open(number)
}

/** The estimated size of a row in characters, without its body but including its index entries. */
const CHARACTERS_OF_A_ROW = 1_000

function writeEntries(commits: GroupCommit, world: StoredWorld, entries: readonly Entry[]): void {
  for (const entry of entries)
    commits.note({
      entries: 1,
      sum: addEntry(world, entry),
      characters: CHARACTERS_OF_A_ROW + entry.body.length,
    })
}

function refuseSecondEnabled(world: StoredWorld, entries: readonly Entry[]): void {
  for (const { head } of entries) {
    if (head.kind !== 'registration' || !head.registration.enabled) continue
    const { id, generation, object_type } = head.registration
    const taken = createSettingsView(world).enabledRegistration(generation, object_type)
    if (taken && taken.id !== id)
      throw new ConflictError(
        `Cannot enable "${id}": "${taken.id}" is enabled for ${object_type} in ${generation}`,
      )
  }
}

export type StagedWorld = ReturnType<typeof stageWorld>

/** Creates a draft: a world with its own number, which can later replace the world `present`. */
function stageWorld(
  parts: DatabaseParts,
  present: StoredWorld,
  { name, onReplacing }: { readonly name: string | undefined; readonly onReplacing: () => void },
) {
  const { commits, worlds } = parts
  const staged = openDraft(parts)
  let isOver = false

  return {
    clock: () => ({ latestAt: staged.state.latest_at, speed: staged.state.speed ?? undefined }),
    /** Adds entries to the draft. Throws ConflictError for a second enabled registration for a type, or for a duplicate id. */
    add(entries: readonly Entry[]): void {
      const write = (entry: Entry) => {
        refuseSecondEnabled(staged, [entry])
        writeEntries(commits, staged, [entry])
      }
      try {
        commits.writeNow(() => entries.forEach(write))
      } catch (error) {
        throw isConstraint(error) ? new ConflictError('the same id occurs twice', { cause: error }) : error
      }
    },
    /** Resolves when all entries so far are durable. Call this function before `publish`, so that `publish` is fast. */
    prepare: commits.sync,
    /** Replaces the world, and calls `onPublished` in the same event-loop turn. On failure, rejects and changes nothing. */
    async publish(onPublished: () => void): Promise<void> {
      commits.flush()
      if (name !== undefined) commits.writeNow(() => worlds.setNumber(name, staged.number))
      onReplacing()
      parts.erase(present.number)
      parts.release(staged)
      present.reload(staged.number)
      isOver = true
      onPublished()
      await commits.sync()
    },
    discard(): void {
      if (isOver) return
      isOver = true
      parts.release(staged)
      parts.erase(staged.number)
    },
  }
}
