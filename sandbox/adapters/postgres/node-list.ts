import { StorageError } from '../../engine/state/log.ts'
import type { Database } from './database.ts'
import {
  enterNode,
  isKnownNode,
  keepAlive,
  readNodes,
  releaseLeftWorlds,
  type NodeEntry,
  type NodeRow,
} from './node-rows.ts'
import { pause } from './pause.ts'

/** The nodes of a database, as this one knows them. */
export interface NodeList {
  /** Gives back what an earlier run on the same data folder had when it was killed. To be called before this one takes any world. */
  releaseLeft(): Promise<void>
  /**
   * Says where this node is, and resolves when those that are alive trust its CA: what it serves from now on may be called by
   * another. Rejects with StorageError `unusable` if another one has its name.
   */
  enter(addresses: Pick<NodeEntry, 'serviceUrl' | 'benchUrl' | 'caPem'>): Promise<void>
  /** Says that it is alive, and reads the others. */
  beat(): Promise<void>
  /** The node of this name, if it is alive; reads them again if it is not known. */
  find(name: string): Promise<NodeRow | undefined>
  /** The CAs of all that there ever were: receivers have certificates of theirs. */
  caPems(): readonly string[]
  /** Says that it has ended. */
  leave(): Promise<void>
}

export function createNodeList(
  database: Database,
  self: Pick<NodeEntry, 'name' | 'identity' | 'aliveMs'>,
): NodeList {
  let nodes: readonly NodeRow[] = []
  let pems: readonly string[] = []

  async function read(): Promise<void> {
    nodes = await readNodes(database)
    pems = [...new Set(nodes.map(({ caPem }) => caPem))]
  }

  const findAlive = (name: string) => nodes.find((node) => node.name === name && node.isAlive)

  return {
    async releaseLeft() {
      if (await isKnownNode(database, self)) await releaseLeftWorlds(database, self.name)
    },
    async enter(addresses) {
      await read()
      const isKnown = pems.includes(addresses.caPem)
      if (!(await enterNode(database, { ...self, ...addresses }))) throw toTakenName(self)
      await read()
      if (!isKnown) await untilOthersKnow(database, self)
    },
    async beat() {
      // In this order: who says twice that it is alive has read the others in between.
      await read()
      await keepAlive(database, self)
    },
    async find(name) {
      if (!findAlive(name)) await read()
      return findAlive(name)
    },
    caPems: () => pems,
    leave: () => keepAlive(database, { ...self, aliveMs: 0 }),
  }
}

/** How often another has to say that it is alive, and how long that may take: one that was killed does not, and counts as alive still. */
const BEATS_AWAITED = 2
const LONGEST_WAIT_MS = 4_000
const LOOK_EVERY_MS = 50

async function untilOthersKnow(database: Database, self: Pick<NodeEntry, 'name'>): Promise<void> {
  const beats = new Map<string, Set<string>>()
  const isOver = AbortSignal.timeout(LONGEST_WAIT_MS)
  while (!isOver.aborted) {
    const others = (await readNodes(database)).filter(({ name, isAlive }) => isAlive && name !== self.name)
    for (const { name, aliveUntil } of others) beats.set(name, (beats.get(name) ?? new Set()).add(aliveUntil))
    // The first value is that of before.
    if (others.every(({ name }) => (beats.get(name)?.size ?? 0) > BEATS_AWAITED)) return
    await pause(LOOK_EVERY_MS, isOver)
  }
}

function toTakenName({ name, aliveMs }: Pick<NodeEntry, 'name' | 'aliveMs'>): StorageError {
  return new StorageError(
    'unusable',
    `Cannot use node name "${name}": another node of this database has it, or had it when it was killed; give this one another with --node, ` +
      `start it on the data folder of that one, or try again in ${aliveMs / 1_000} seconds`,
  )
}
