import { createSignal } from '../core/signal.ts'
import type { Entry, Head } from './entries.ts'
import type { GroupCommit } from './group-commit.ts'
import { createPastWorld } from './past-world.ts'
import { entriesAfter } from './queries/history.ts'
import { createSettingsView } from './queries/settings.ts'
import type { World } from './queries/world.ts'
import type { Worlds } from './queries/worlds.ts'
import { isConstraint } from './sql.ts'
import { ConflictError } from './storage-error.ts'
import type { Durability } from './synced-batches.ts'
import { addEntry, createView } from './view.ts'

/** The database that several worlds share. */
export interface DatabaseParts {
  /** The file, for errors. */
  readonly path: string
  readonly commits: GroupCommit
  readonly worlds: Worlds
  readonly soon: (run: () => void) => void
  open(number: number): World
  /** After the last write to this world. */
  release(world: World): void
  /** Removes the rows next to the work at hand. */
  erase(number: number): void
}

/** One world of a database, to read and to write. */
export type Store = ReturnType<typeof openStore>

/** Opens a store over a world. A world that is still being made has no name. */
export function openStore(parts: DatabaseParts, world: World, name?: string) {
  const { commits, soon } = parts
  const durable = createSignal<Head>()
  const past = createPastWorld(world, soon)

  return {
    ...createView(world),
    get length() {
      return world.state.length
    },
    /** Why the store takes no changes at present; undefined if it does. Only `full` can end without a restart. */
    get problem() {
      return commits.state.problem
    },
    onProblem: commits.state.onChange,
    check: commits.check,
    recover: commits.recover,
    /**
     * Writes all entries in one transaction, so that the next read sees them, and resolves when they are durable. Throws
     * ConflictError, and writes none, if a registration would be the second enabled one of its type and generation. Rejects with
     * StorageError if they cannot be kept, and at once while there is a problem.
     */
    commit(entries: readonly Entry[], durability: Durability = 'machine'): Promise<void> {
      if (commits.state.problem) return Promise.reject(commits.state.problem)
      refuseSecondEnabled(world, entries)
      return commits.add(
        () => writeEntries(commits, world, entries),
        durability,
        () => entries.forEach(({ head }) => durable.emit(head)),
      )
    },
    written: commits.written,
    subscribe: durable.subscribe,
    /** Commits the open transaction. On failure its entries are gone, and there is a problem. */
    writeNow: commits.commitNow,
    /** Every entry on record now, oldest first. Reading on after the world was replaced throws an error. */
    entries: () => entriesAfter(world, 0, world.state.length),
    /** The world at any earlier instant, since it was replaced last. */
    past,
    /** Begins another world, to take the place of this one. */
    stage: () => stageWorld(parts, world, name),
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

export function openDraft({ commits, worlds, open }: DatabaseParts): World {
  let number = 0
  commits.writeNow(() => (number = worlds.addDraft()))
  return open(number)
}

/** A row needs this besides its body: its other columns, and its places in the indexes. */
const CHARACTERS_OF_A_ROW = 1_000

/** Writes entries, and all that follows from them, in the open transaction. */
function writeEntries(commits: GroupCommit, world: World, entries: readonly Entry[]): void {
  for (const entry of entries)
    commits.note({
      entries: 1,
      sum: addEntry(world, entry),
      characters: CHARACTERS_OF_A_ROW + entry.body.length,
    })
}

/** Throws ConflictError for a registration that would be the second enabled one of its type and generation. */
function refuseSecondEnabled(world: World, entries: readonly Entry[]): void {
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

/** A world under another number, to take the place of `present`. */
function stageWorld(parts: DatabaseParts, present: World, name: string | undefined) {
  const { commits, worlds } = parts
  const staged = openDraft(parts)
  let isOver = false

  return {
    /** The latest sandbox time and the speed of the clock on record. */
    clock: () => ({ latestAt: staged.state.latest_at, speed: staged.state.speed ?? undefined }),
    /** Adds entries. Throws ConflictError for a second enabled registration of a type, or an id that is there already. */
    add(entries: readonly Entry[]): void {
      // Entry by entry: each has to fit to the entries before it.
      const write = (entry: Entry) => {
        refuseSecondEnabled(staged, [entry])
        writeEntries(commits, staged, [entry])
      }
      try {
        commits.writeNow(() => entries.forEach(write))
      } catch (error) {
        throw isConstraint(error) ? new ConflictError('an id is there twice', { cause: error }) : error
      }
    },
    /** Resolves when most of it is durable, so that `publish` does not wait long. */
    prepare: commits.sync,
    /**
     * Takes the place of the present world when the transaction under way is durable, and calls back in the same turn. Rejects if it
     * cannot, and nothing has changed then. Resolves when the change is durable.
     */
    async publish(onPublished: () => void): Promise<void> {
      commits.flush()
      if (name !== undefined) commits.writeNow(() => worlds.setNumber(name, staged.number))
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
