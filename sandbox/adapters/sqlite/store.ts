import { createSignal } from '../../engine/core/signal.ts'
import type { Entry, Head } from '../../engine/state/entries.ts'
import { ConflictError } from '../../engine/state/storage-error.ts'
import { ReplacedError, type StagedWorld, type Store } from '../../engine/state/store.ts'
import type { Written } from './group-commit.ts'
import { createPastWorld } from './past-world.ts'
import { isConstraint } from './storage-errors.ts'
import type { DatabaseParts } from './database-parts.ts'
import { createView } from './view.ts'
import type { WorldTables } from './world-tables.ts'

/** A world that is open. */
export interface OpenStore extends Store {
  /** The number of its rows at present. */
  readonly number: number
}

/** Opens a world over its tables. A world that is still being made has no name. */
export function openStore(parts: DatabaseParts, opened: WorldTables, name?: string): OpenStore {
  const { path, commits, soon } = parts
  const durable = createSignal<Head>()
  let tables = opened
  const past = createPastWorld(() => tables, { path, soon })

  return {
    ...createView(() => tables, path),
    get number() {
      return tables.number
    },
    get length() {
      return tables.state.length
    },
    get problem() {
      return commits.state.problem
    },
    onProblem: commits.state.onChange,
    recover: commits.recover,
    commit(entries, durability = 'machine') {
      if (commits.state.problem) return Promise.reject(commits.state.problem)
      refuseSecondEnabled(tables, entries)
      return commits.add(
        () => parts.write(tables, entries),
        durability,
        () => entries.forEach(({ head }) => durable.emit(head)),
      )
    },
    subscribe: durable.subscribe,
    writeNow: commits.commitNow,
    entries: () => readEntries(() => tables),
    past,
    stage: () =>
      stageWorld(parts, {
        publish(staged) {
          if (name !== undefined) parts.change(() => parts.worlds.setNumber(name, staged.number))
          parts.release(tables)
          parts.erase(tables.number)
          tables = staged
        },
      }),
    close() {
      past.forget()
      try {
        if (!commits.state.problem) commits.flush()
      } finally {
        parts.release(tables)
      }
    },
  }
}

/** Throws ConflictError for a registration that would be the second enabled one of its type and generation. */
function refuseSecondEnabled({ settings }: WorldTables, entries: readonly Entry[]): void {
  for (const { head } of entries) {
    if (head.kind !== 'registration' || !head.registration.enabled) continue
    const { id, generation, object_type } = head.registration
    const taken = settings.enabledRegistration(generation, object_type)
    if (taken && taken.id !== id)
      throw new ConflictError(
        `Cannot enable "${id}": "${taken.id}" is enabled for ${object_type} in ${generation}`,
      )
  }
}

/** The entries up to the present end. */
function* readEntries(present: () => WorldTables): Iterable<Entry> {
  const { number, history, state } = present()
  for (const entry of history.after(0, state.length)) {
    if (present().number !== number)
      throw new ReplacedError('Cannot read on: the world was replaced meanwhile')
    yield entry
  }
}

interface StagePorts {
  readonly publish: (staged: WorldTables) => void
}

/** A world under another number. */
function stageWorld(parts: DatabaseParts, { publish }: StagePorts): StagedWorld {
  const { commits } = parts
  const staged = parts.addDraft()
  let isOver = false

  return {
    clock: () => ({ latestAt: staged.state.latest_at, speed: staged.state.speed ?? undefined }),
    add(entries) {
      try {
        commits.writeNow(() => entries.map((entry) => addStaged(parts, staged, entry)).reduce(plus, NOTHING))
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

/** Entry by entry: each has to fit to those before. */
function addStaged(parts: DatabaseParts, staged: WorldTables, entry: Entry): Written {
  refuseSecondEnabled(staged, [entry])
  return parts.write(staged, [entry])
}

const NOTHING: Written = { entries: 0, sum: 0, characters: 0 }

function plus(a: Written, b: Written): Written {
  return { entries: a.entries + b.entries, sum: a.sum + b.sum, characters: a.characters + b.characters }
}
