import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresNode, type PostgresNode } from '../../../sandbox/adapters/postgres/postgres-node.ts'
import type { PostgresLog } from '../../../sandbox/adapters/postgres/postgres-log.ts'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import { passes, StorageError, type Log } from '../../../sandbox/engine/state/log.ts'
import type { PostgresServer } from '../../support/postgres.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import type { NodeName } from './commands.ts'
import type { Write } from './history.ts'

/** One of two nodes, the log that it has, if it has one, and what it has written. */
export interface Seat {
  readonly proxy: TcpProxy
  readonly node: PostgresNode
  readonly hasWorld: boolean
  readonly writes: readonly Write[]
  readonly problems: readonly string[]
  /** Takes the world, if it can be reached and nobody has it. */
  take(world: string): Promise<void>
  append(count: number): void
  replace(count: number): void
  checkpoint(): void
  /** Resolves when what was appended has ended one way or the other. */
  settle(): Promise<void>
  leave(): Promise<void>
  /** With the way open: writes once more, and compares what it shows with what there is. */
  end(read: () => Promise<readonly number[]>): Promise<void>
}

/** Shared by both, so that what came first is known. */
interface Steps {
  count: number
  nextId: number
}

const LEASE_MS = 2_000
const PATIENCE_MS = 1_000
const LOOKS_AGAIN_MS = 20

export async function sitDown(
  server: PostgresServer,
  { name, steps }: { readonly name: NodeName; readonly steps: Steps },
): Promise<Seat> {
  const proxy = await startTcpProxy(server.port)
  const url = server.url({ port: proxy.port })
  const node = await openPostgresNode(url, { node: name, durationMs: LEASE_MS, patienceMs: PATIENCE_MS })
  const writes: Write[] = []
  const problems: string[] = []
  const waited = new Set<Write>()
  let log: PostgresLog | undefined
  let last: Promise<void> = Promise.resolve()
  let replacing: Promise<void> | undefined

  async function leave(): Promise<void> {
    const left = log
    log = undefined
    left?.close()
    await left?.closed
  }

  function begin(kind: Write['kind'], count: number): Write {
    const ids = Array.from({ length: count }, () => steps.nextId++)
    const write: Write = { kind, ids, beganAt: ++steps.count, endedAt: Infinity, outcome: 'under-way' }
    writes.push(write)
    return write
  }

  /** What was not sent was refused for sure. */
  function refuse(write: Write, error: unknown, isSent: boolean): void {
    write.outcome = isSent ? 'unknown' : 'refused'
    if (error instanceof StorageError && passes(error)) return
    if (!(error instanceof StorageError)) problems.push(`a bug: ${String(error)}`)
    else if (error.kind !== 'fenced') problems.push(`${error.kind}: ${error.message}`)
    void leave()
  }

  function follow(write: Write, kept: Promise<void>, before: Write | undefined): Promise<void> {
    return kept.then(
      () => void Object.assign(write, { outcome: 'kept', endedAt: ++steps.count }),
      (error: unknown) => {
        // What waited behind another that had no answer was not sent, unless both waited: then they go together.
        const isSent = before === undefined || before.outcome === 'kept' || waited.has(before)
        refuse(write, error, isSent)
      },
    )
  }

  function append(count: number): void {
    if (!log || replacing) return
    const before = writes.findLast(({ outcome }) => outcome === 'under-way')
    const write = begin('append', count)
    if (before) waited.add(write)
    try {
      log.append(write.ids.map(toEntry))
      last = follow(write, log.sync?.() ?? Promise.resolve(), before)
    } catch (error) {
      refuse(write, error, false)
    }
  }

  return {
    proxy,
    node,
    get hasWorld() {
      return log !== undefined
    },
    writes,
    problems,
    async take(world) {
      try {
        const { lease } = await node.acquire(world)
        const taken = lease && (await node.openLog(lease))
        // As the store does it.
        taken?.onProblem?.((problem) => problem ?? taken.recover?.())
        log = taken
      } catch (error) {
        if (!(error instanceof StorageError && passes(error))) throw error
      }
    },
    append,
    replace(count) {
      const of = log
      if (!of || replacing) return
      const write = begin('replace', count)
      replacing = last
        .then(() => follow(write, replaceAll(of, write.ids.map(toEntry)), undefined))
        .finally(() => (replacing = undefined))
    },
    checkpoint() {
      log?.writeCheckpoint({ position: log.length, bytes: Buffer.from(`at ${log.length}`) })
    },
    settle: () => (replacing ? Promise.resolve() : last),
    leave,
    async end(read) {
      await replacing
      await last
      for (let isOver = log === undefined; !isOver;) {
        append(1)
        await last
        isOver = log === undefined || writes.at(-1)?.outcome === 'kept'
        if (!isOver) await sleep(LOOKS_AGAIN_MS)
      }
      // Who waits in this thread keeps the proxy from going on.
      await log?.filled
      const shown = log && readAll(log)
      if (shown && shown.join() !== (await read()).join()) problems.push(`${name} shows ${shown.join()}`)
      await leave()
    },
  }
}

async function replaceAll(log: Log, entries: readonly Entry[]): Promise<void> {
  const staged = log.stage?.()
  try {
    staged?.add(entries)
    await staged?.prepare?.()
    await staged?.commit?.()
  } catch (error) {
    staged?.discard()
    throw error
  }
  staged?.publish()
}

function readAll(log: Log): readonly number[] {
  return Array.from({ length: log.length }, (_, index) => Number(log.read(index + 1).body))
}

function toEntry(id: number): Entry {
  return { head: { kind: 'secret', at: id, set_at: id }, body: String(id) }
}
