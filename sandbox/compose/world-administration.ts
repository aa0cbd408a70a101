import type { WorldDetail } from '../../spec/generated/control-types.ts'
import type { Worlds } from '../api/control/world-access.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { Store } from '../engine/state/store.ts'
import {
  DEFAULT_WORLD,
  WorldGoneError,
  WorldTakenError,
  type WorldDirectory,
  type WorldPause,
  type WorldRecord,
} from '../engine/state/world-directory.ts'
import { createOwnSnapshots } from './own-snapshots.ts'
import { otherWorldError, unknownWorldError } from './world-errors.ts'
import {
  createRecord,
  refuseSameKeys,
  toConflict,
  toDetail,
  toWorld,
  type NewWorld,
  type RecordPorts,
} from './world-records.ts'
import type { WorldKeeper } from './world-keeper.ts'
import type { WorldRegistry } from './world-registry.ts'

export interface WorldAdministrationPorts extends RecordPorts {
  readonly directory: WorldDirectory
  readonly registry: WorldRegistry
  readonly keeper: Pick<WorldKeeper, 'watch' | 'remove'>
  /** The default world, as if it were one of the directory. */
  readonly first: WorldRecord
  /** True for a world that is in memory. */
  readonly isOpen: (world: WorldRecord) => boolean
  /** Keeps a world as it is read until `run` has resolved. */
  readonly readWorld: <Result>(
    world: WorldRecord,
    run: (source: CopySource) => Promise<Result>,
  ) => Promise<Result>
}

/** What a copy begins with. */
export interface CopySource {
  readonly speed: number
  /** Its snapshot. */
  readonly pieces: () => AsyncIterable<Uint8Array>
}

/** All worlds, for the token of the run. */
export function createWorldAdministration(ports: WorldAdministrationPorts): Worlds {
  const { directory, registry, keeper, first, isOpen, readWorld } = ports
  const find = createFind(ports)

  return {
    async list() {
      return [first, ...directory.list()].map((world) => toWorld(world, isOpen(world)))
    },
    async get(name) {
      const world = find(name)
      return toDetail(world, isOpen(world))
    },
    add: (request) => addWorld(request, ports),
    async copy(name, request) {
      const source = find(name)
      return readWorld(source, ({ speed, pieces }) =>
        addWorld({ ...request, speed, seed: source.seed }, ports, async (world, store) => {
          const pause = await registry.fill(world, store, ({ assembled, controlToken }) =>
            createOwnSnapshots(assembled.bench, controlToken).putBack(pieces()),
          )
          // What is due in it nobody knows yet.
          return pause && { ...pause, wakeAt: 0 }
        }),
      ).catch((error: unknown) => {
        throw error instanceof WorldGoneError ? unknownWorldError(name, directory) : error
      })
    },
    async remove(name) {
      if (name === DEFAULT_WORLD) throw defaultWorldError()
      const world = find(name)
      const removed = toWorld(world, isOpen(world))
      await keeper.remove(world)
      return removed
    },
  }
}

function createFind({ directory, first }: WorldAdministrationPorts) {
  return (name: string): WorldRecord => {
    const found = name === DEFAULT_WORLD ? first : directory.find('name', name)
    if (found) return found
    throw unknownWorldError(name, directory)
  }
}

async function addWorld(
  request: NewWorld,
  ports: WorldAdministrationPorts,
  fill?: (world: WorldRecord, store: Store) => Promise<WorldPause | undefined>,
): Promise<WorldDetail> {
  const world = createRecord(request, ports)
  try {
    refuseSameKeys(world, ports.first)
    await ports.directory.add(world, fill && ((store) => fill(world, store)))
  } catch (error) {
    throw error instanceof WorldTakenError ? toConflict(error.key, world) : error
  }
  ports.keeper.watch(world)
  return toDetail(world, false)
}

function defaultWorldError(): ApiError {
  return new ApiError('conflict', {
    code: 'default_world',
    message: `Cannot remove world "${DEFAULT_WORLD}": it is always there`,
    hint: 'reset it',
    command: 'reset',
  })
}

/** One world, for its own token. */
export function onlyWorld(world: WorldRecord, isOpen: () => boolean): Worlds {
  async function refuse(): Promise<never> {
    throw otherWorldError(world)
  }
  return {
    list: async () => [toWorld(world, isOpen())],
    get: async (name) => (name === world.name ? toDetail(world, isOpen()) : refuse()),
    add: refuse,
    copy: refuse,
    remove: refuse,
  }
}
