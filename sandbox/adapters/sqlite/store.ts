import { createSignal } from '../../engine/core/signal.ts'
import type { Entry, Head } from '../../engine/state/entries.ts'
import { ConflictError } from '../../engine/state/storage-error.ts'
import type { StagedWorld, Store } from '../../engine/state/store.ts'
import type { GroupCommit } from './group-commit.ts'
import { createPastWorld } from './past-world.ts'
import { entriesAfter } from './queries/history.ts'
import { createSettingsView } from './queries/settings.ts'
import type { Worlds } from './queries/worlds.ts'
import { isConstraint } from './storage-errors.ts'
import { addEntry, createView } from './world-entries.ts'
import type { World } from './queries/world.ts'

/** What the worlds of a database share. */
export interface DatabaseParts {
  /** The file, for errors. */
  readonly path: string
  readonly commits: GroupCommit
  readonly worlds: Worlds
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
  open(number: number): World
  /** Nobody writes to this world any more. */
  release(world: World): void
  /** Removes the rows next to the work at hand. */
  erase(number: number): void
}

/** Opens a store over a world. A world that is still being made has no name. */
export function openStore(parts: DatabaseParts, world: World, name?: string): Store {
  const { commits, worlds, soon } = parts
  const durable = createSignal<Head>()
  const past = createPastWorld(world, soon)

  function publish(staged: World): void {
    if (name !== undefined) commits.writeNow(() => worlds.setNumber(name, staged.number))
    parts.erase(world.number)
    parts.release(staged)
    world.reload(staged.number)
  }

  return {
    ...createView(world),
    get length() {
      return world.state.length
    },
    get problem() {
      return commits.state.problem
    },
    onProblem: commits.state.onChange,
    recover: commits.recover,
    commit(entries, durability = 'machine') {
      if (commits.state.problem) return Promise.reject(commits.state.problem)
      refuseSecondEnabled(world, entries)
      return commits.add(
        () => writeEntries(commits, world, entries),
        durability,
        () => entries.forEach(({ head }) => durable.emit(head)),
      )
    },
    confirmed: commits.confirmed,
    subscribe: durable.subscribe,
    writeNow: commits.commitNow,
    entries: () => entriesAfter(world, 0, world.state.length),
    past,
    stage: () => stageWorld(parts, publish),
    close() {
      past.forget()
      try {
        if (!commits.state.problem) commits.flush()
      } finally {
        parts.release(world)
      }
    },
  }
}

/** An empty world without a name. */
export function openDraft({ commits, worlds, open }: DatabaseParts): World {
  let number = 0
  commits.writeNow(() => (number = worlds.addState()))
  return open(number)
}

/** What a row needs besides its body: its other columns, and its places in the indexes. */
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

/** A world under another number. `publish` gives the number to the world that is replaced. */
function stageWorld(parts: DatabaseParts, publish: (staged: World) => void): StagedWorld {
  const { commits } = parts
  const staged = openDraft(parts)
  let isOver = false

  return {
    clock: () => ({ latestAt: staged.state.latest_at, speed: staged.state.speed ?? undefined }),
    add(entries) {
      // Entry by entry: each has to fit to those before.
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
    prepare: commits.sync,
    async publish(onPublished) {
      commits.flush()
      publish(staged)
      isOver = true
      onPublished()
      await commits.sync()
    },
    discard() {
      if (isOver) return
      isOver = true
      parts.release(staged)
      parts.erase(staged.number)
    },
  }
}
