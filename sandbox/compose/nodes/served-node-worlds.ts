import { createPassOn } from '../../adapters/pass-on.ts'
import type { NodeList } from '../../adapters/postgres/node-list.ts'
import type { PostgresWorlds } from '../../adapters/postgres/postgres-worlds.ts'
import { realTime } from '../../adapters/real-time.ts'
import type { Worlds } from '../../api/control/world-access.ts'
import type { HttpRequest, RequestHandler } from '../../engine/core/http.ts'
import { StorageError } from '../../engine/state/log.ts'
import { WorldGoneError, type WorldDirectory } from '../../engine/state/world-directory.ts'
import { createTranslator } from '../../../spec/vocabulary.ts'
import type { SharedParts } from '../open-world.ts'
import { createWorldAdministration, onlyWorld } from '../world-administration.ts'
import { createWorldDoors } from '../world-doors.ts'
import { createWorldTransports } from '../world-transports.ts'
import { createWorldTurns } from '../world-turns.ts'
import { createWorldRegistry, type Door, type WorldRegistry } from '../world-registry.ts'
import { answerMoving, answerProblem } from './moving-answers.ts'
import { createNodeRouter, type NodeRouter } from './node-router.ts'
import { readWorldAnywhere } from './read-world.ts'

export interface NodeWorldsParts {
  readonly worlds: PostgresWorlds
  readonly nodes: NodeList
  readonly shared: SharedParts
  readonly node: string
  readonly nodeSecret: string
  readonly graceMs: number
  /** Whether others can reach the sandbox. */
  readonly isReachable: boolean
}

/** All worlds of a database, behind two functions of a request. */
export interface NodeWorlds {
  readonly registry: WorldRegistry
  readonly router: NodeRouter
  readonly doors: { readonly [Name in Door]: RequestHandler }
  /** Gives up a world that another node has now. */
  drop(name: string): void
  close(): Promise<void>
}

/** After a minute in which nothing happens a world is closed, and any node opens it again. */
const IDLE_MS = 60_000

export function openNodeWorlds(parts: NodeWorldsParts): NodeWorlds {
  const { worlds, nodes, shared, node, graceMs } = parts
  const { rootToken, options } = shared
  const { idleMs = IDLE_MS } = options
  const { directory, idByName } = withOpened(worlds)
  const turns = createWorldTurns(realTime)
  const transportOf = createWorldTransports({ ...shared, turns, isAlone: () => registry.ids().length < 2 })
  const registry = createWorldRegistry({
    directory,
    shared,
    transportOf: ({ id }) => transportOf(id),
    worldsOf: (world) =>
      world.id === worlds.first.id ? administration : onlyWorld(world, () => ({ open: true, node })),
    realTime,
    graceMs,
    idleMs,
    // When a world is to be opened the database says, to all nodes.
    onOpened() {},
    onUnopened() {},
    onPaused() {},
  })
  const passOn = createPassOn()
  const router = createNodeRouter({ ...parts, ...shared, registry, nodes, passOn, realTime })
  const inFirst = (door: Door) => (request: HttpRequest) => router.serve(worlds.first, door, request)
  const doors = createWorldDoors({
    directory,
    registry: router,
    fallback: { service: inFirst('service'), bench: inFirst('bench') },
    realTime,
    turns,
    rootToken,
    translator: createTranslator(options.settings.vocabulary),
    onError: options.onError,
  })
  const safeDoors = withAllAnswers(doors)
  const administration = createNodeAdministration(parts, { directory, registry, bench: safeDoors.bench })

  return {
    registry,
    router,
    doors: safeDoors,
    drop(name) {
      const id = idByName.get(name)
      if (id !== undefined) void registry.drop(id)
    },
    async close() {
      await registry.closeAll()
      passOn.close()
    },
  }
}

interface AdministrationPorts {
  readonly directory: WorldDirectory
  readonly registry: WorldRegistry
  readonly bench: RequestHandler
}

/** What adds, copies and removes worlds, wherever they are open. */
function createNodeAdministration(
  { worlds, shared, isReachable }: NodeWorldsParts,
  { directory, registry, bench }: AdministrationPorts,
): Worlds {
  const { rootToken } = shared
  return createWorldAdministration({
    directory,
    registry,
    keeper: {
      watch() {},
      remove: ({ id }) => worlds.remove(id, () => registry.close(id)),
    },
    first: worlds.first,
    async findOpen() {
      const owners = await worlds.owners()
      return ({ id }) => ({ open: owners.has(id), node: owners.get(id) })
    },
    readWorld: async (world, run) => run(await readWorldAnywhere(world, { bench, rootToken })),
    realTime,
    isReachable,
    rootToken,
  })
}

/** Notes which worlds were opened here. */
function withOpened(worlds: WorldDirectory) {
  const idByName = new Map<string, string>()
  const directory: WorldDirectory = {
    ...worlds,
    openLog(world) {
      idByName.set(world.name, world.id)
      return worlds.openLog(world)
    },
  }
  return { directory, idByName }
}

function withAllAnswers({ service, bench }: NodeWorlds['doors']): NodeWorlds['doors'] {
  return { service: withAnswers('service', service), bench: withAnswers('bench', bench) }
}

/** What cannot be found out, as PostgreSQL is away, is answered so; and so is what goes as it is looked for. */
function withAnswers(door: Door, handle: RequestHandler): RequestHandler {
  return async (request) => {
    try {
      return await handle(request)
    } catch (error) {
      if (error instanceof WorldGoneError) return answerMoving(door, request, error.message)
      if (error instanceof StorageError) return answerProblem(door, request, error)
      throw error
    }
  }
}
