import type { WorldDetail } from '../../spec/generated/control-types.ts'
import type { Worlds } from '../api/control/world-access.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { Log } from '../engine/state/log.ts'
import {
  DEFAULT_WORLD,
  WorldGoneError,
  WorldTakenError,
  type Awaitable,
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
  type Whereabouts,
} from './world-records.ts'
import type { WorldKeeper } from './world-keeper.ts'
import type { WorldRegistry } from './world-registry.ts'

export interface WorldAdministrationPorts extends RecordPorts {
  readonly directory: WorldDirectory
  readonly registry: WorldRegistry
  readonly keeper: Pick<WorldKeeper, 'watch' | 'remove'>
  /** The default world, as if it were one of the directory. */
  readonly first: WorldRecord
  /** Which worlds are open at present. */
  readonly findOpen: () => Awaitable<(world: WorldRecord) => Whereabouts>
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
  const { directory, registry, keeper, first, findOpen, readWorld } = ports
  const find = createFind(ports)

  return {
    async list() {
      const worlds = [first, ...(await directory.list())]
      const whereabouts = await findOpen()
      return worlds.map((world) => toWorld(world, whereabouts(world)))
    },
    async get(name) {
      const world = await find(name)
      return toDetail(world, (await findOpen())(world))
    },
    add: (request) => addWorld(request, ports),
    async copy(name, request) {
      const source = await find(name)
      return readWorld(source, ({ speed, pieces }) =>
        addWorld({ ...request, speed, seed: source.seed }, ports, async (world, log) => {
          const pause = await registry.fill(world, log, ({ assembled, controlToken }) =>
            createOwnSnapshots(assembled.bench, controlToken).putBack(pieces()),
          )
          // What is due in it nobody knows yet.
          return pause && { ...pause, wakeAt: 0 }
        }),
      ).catch(async (error: unknown) => {
        throw error instanceof WorldGoneError ? await unknownWorldError(name, directory) : error
      })
    },
    async remove(name) {
      if (name === DEFAULT_WORLD) throw defaultWorldError()
      const world = await find(name)
      const removed = toWorld(world, (await findOpen())(world))
      await keeper.remove(world)
      return removed
    },
  }
}

function createFind({ directory, first }: WorldAdministrationPorts) {
  return async (name: string): Promise<WorldRecord> => {
    const found = name === DEFAULT_WORLD ? first : await directory.find('name', name)
    if (found) return found
    throw await unknownWorldError(name, directory)
  }
}

async function addWorld(
  request: NewWorld,
  ports: WorldAdministrationPorts,
  fill?: (world: WorldRecord, log: Log) => Promise<WorldPause | undefined>,
): Promise<WorldDetail> {
  const world = createRecord(request, ports)
  try {
    refuseSameKeys(world, ports.first)
    await ports.directory.add(world, fill && ((log) => fill(world, log)))
  } catch (error) {
    throw error instanceof WorldTakenError ? toConflict(error.key, world) : error
  }
  ports.keeper.watch(world)
  return toDetail(world, { open: false })
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
export function onlyWorld(world: WorldRecord, whereabouts: () => Whereabouts): Worlds {
  async function refuse(): Promise<never> {
    throw otherWorldError(world)
  }
  return {
    list: async () => [toWorld(world, whereabouts())],
    get: async (name) => (name === world.name ? toDetail(world, whereabouts()) : refuse()),
    add: refuse,
    copy: refuse,
    remove: refuse,
  }
}
