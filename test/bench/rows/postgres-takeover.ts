import { createReadStream, createWriteStream, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { nodeProcess, type NodeProcess } from '../../support/node-process.ts'
import type { PostgresServer } from '../../support/postgres.ts'
import { startChild } from '../children.ts'
import { whyNoPostgres, withPostgres } from '../postgres.ts'
import { benchHeaders, createUser, serviceHeaders } from '../requests.ts'
import type { MeasureOptions, Row } from '../row.ts'
import { createUsers, fillStore } from '../stores.ts'

/** Time enough for what keeps a node busy while it is filled. */
const FILLING_LEASE_MS = 60_000
const LEASE_MS = 4_000
const ROUNDS = 3
/** Behind the checkpoint that a node writes as it ends: four entries each, which whoever takes over replays. */
const LATER_USERS = 10_000

type StartNode = (name: string, leaseMs: number) => Promise<NodeProcess>

/** Puts a world with so many jobs into the database, by the public doors. */
async function fill(options: MeasureOptions, node: NodeProcess): Promise<void> {
  const { store } = await fillStore(options, options.jobs)
  const path = join(options.folder, `snapshot-${process.pid}.json`)
  const filled = await startChild('sandbox')
  try {
    const opening = { folder: options.folder, store, speed: 0 }
    const { benchUrl } = await filled.ask<{ benchUrl: string }>({ do: 'open', opening })
    const saved = await fetch(`${benchUrl}/control/snapshot`, { headers: benchHeaders })
    if (!saved.ok || !saved.body) throw new Error(`Cannot measure: ${saved.status}`)
    await pipeline(saved.body, createWriteStream(path))
    const headers = { ...benchHeaders, authorization: `Bearer ${tokenOf(options, node)}` }
    const change = async (at: string, init: RequestInit) => {
      const answer = await fetch(`${node.benchUrl}/control${at}`, { ...init, headers })
      if (!answer.ok) throw new Error(`Cannot measure: ${answer.status} ${await answer.text()}`)
      await answer.body?.cancel()
    }
    const body = Readable.toWeb(createReadStream(path))
    await change('/snapshot', { method: 'PUT', body, duplex: 'half' })
    // So that no retry falls due. A snapshot says so, too, but a node that takes over does not know that from it.
    await change('/clock', { method: 'PATCH', body: JSON.stringify({ mode: 'manual' }) })
  } finally {
    await filled.end()
    rmSync(path, { force: true })
  }
}

function tokenOf({ folder }: MeasureOptions, { name }: NodeProcess): string {
  return readFileSync(join(dataFolder(folder, name), 'token'), 'utf8').trim()
}

const dataFolder = (folder: string, name: string) => join(folder, `takeover-${process.pid}`, name)

/** Milliseconds from the end of the owner, right after it has extended its lease, to the first change that another one has made. */
async function timeTakeover(owner: NodeProcess, other: NodeProcess): Promise<number> {
  const headers = await serviceHeaders(owner.serviceUrl)
  const last = await createUser(owner.serviceUrl, headers)
  if (last !== 201) throw new Error(`Cannot measure: the owner answered ${last}`)
  const killedAt = performance.now()
  const killing = owner.kill()
  for (;;) {
    // What the other node has passed on to the one that ends is cut off.
    const status = await createUser(other.serviceUrl, headers).catch(() => undefined)
    if (status === 201) break
    if (status !== undefined && status !== 503)
      throw new Error(`Cannot measure: the other node answered ${status}`)
    await setTimeout(20)
  }
  const took = performance.now() - killedAt
  await killing
  return took
}

/** How many entries are behind the last checkpoint. */
async function readTail(server: PostgresServer): Promise<number> {
  const [row] = await server.query(
    `SELECT w.length - coalesce(c.position, 0) AS tail FROM hookbench.worlds w LEFT JOIN hookbench.checkpoints c
     ON c.world = w.number AND c.generation = w.generation`,
  )
  return Number(row?.['tail'])
}

async function measure(options: MeasureOptions, server: PostgresServer, start: StartNode) {
  const filled = await start('filling', FILLING_LEASE_MS)
  await fill(options, filled)
  await filled.end()
  let [owner, other] = [await start('one', LEASE_MS), await start('two', LEASE_MS)]
  await createUsers(owner.serviceUrl, LATER_USERS)
  const tail = await readTail(server)
  const taken: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    taken.push(await timeTakeover(owner, other))
    await owner.start()
    ;[owner, other] = [other, owner]
  }
  const longest = Math.max(...taken)
  const all = taken.map((ms) => (ms / 1_000).toFixed(2)).join(', ')
  const detail =
    `${all} s with a lease of ${LEASE_MS / 1_000} s, which was extended right before; ${options.jobs + LATER_USERS} jobs, ` +
    `${tail} entries behind the last checkpoint`
  return { value: (longest - LEASE_MS) / 1_000, detail }
}

export const POSTGRES_TAKEOVER: Row = {
  id: 'postgres-takeover',
  what: 'from `kill -9` of the node that has a world with many jobs to the first change that another node makes in it, beyond the lease, the longest of three',
  unit: 's',
  better: 'less',
  bar: 1,
  instead: 'a failover by hand',
  profile: `It opens the world once the lease has run out: reading the checkpoint and the heads behind it from PostgreSQL, making the indexes of the checkpoint, and taking in those heads, one by one. With nothing behind the checkpoint that takes half a second (of 1.4 on a busy machine); a checkpoint is written after a quarter more entries, so that a start replays a bounded share.`,
  depends: 'jobs',
  lacks: whyNoPostgres,
  measure: (options) =>
    withPostgres(async (server) => {
      const nodes: NodeProcess[] = []
      try {
        return await measure(options, server, async (name, leaseMs) => {
          const data = dataFolder(options.folder, name)
          const node = nodeProcess({ name, data, store: server.url(), leaseMs })
          nodes.push(node)
          await node.start()
          return node
        })
      } finally {
        await Promise.all(nodes.map((node) => node.kill()))
        rmSync(join(options.folder, `takeover-${process.pid}`), { recursive: true, force: true })
      }
    }),
}
