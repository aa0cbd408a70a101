import type { Database } from './database.ts'

/** A node as the others know it. */
export interface NodeRow {
  readonly name: string
  readonly serviceUrl: string
  readonly benchUrl: string
  /** Its local CA, which issued what it serves HTTPS with, and certificates of receivers. */
  readonly caPem: string
  readonly isAlive: boolean
  /** Another value after each time that it said so. */
  readonly aliveUntil: string
}

/** What a node says of itself. */
export interface NodeEntry extends Omit<NodeRow, 'isAlive' | 'aliveUntil'> {
  /** The same for each run on one data folder, of which there is one at a time. */
  readonly identity: string
  readonly aliveMs: number
}

/** Says where this node is; false, and nothing was said, if another one has its name. */
export async function enterNode({ query, tables }: Database, node: NodeEntry): Promise<boolean> {
  const { count } = await query(
    `INSERT INTO ${tables.nodes} AS each (name, identity, service_url, bench_url, ca_pem, alive_until)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')
     ON CONFLICT (name) DO UPDATE SET identity = excluded.identity, service_url = excluded.service_url,
       bench_url = excluded.bench_url, ca_pem = excluded.ca_pem, alive_until = excluded.alive_until
     WHERE each.identity = excluded.identity OR each.alive_until < now()`,
    [node.name, node.identity, node.serviceUrl, node.benchUrl, node.caPem, node.aliveMs],
  )
  return count === 1
}

/** Whether a node of this name was entered by the same data folder before. */
export async function isKnownNode(
  { query, tables }: Database,
  { name, identity }: Pick<NodeEntry, 'name' | 'identity'>,
): Promise<boolean> {
  const { count } = await query(`SELECT 1 FROM ${tables.nodes} WHERE name = $1 AND identity = $2`, [
    name,
    identity,
  ])
  return count === 1
}

/** Gives back what an earlier run on the same data folder had when it was killed: nobody need wait until its leases run out. */
export async function releaseLeftWorlds({ query, tables }: Database, name: string): Promise<void> {
  await query(
    `UPDATE ${tables.worlds} SET holder = NULL, node = NULL, epoch = epoch + 1, lease_until = '-infinity' WHERE node = $1`,
    [name],
  )
}

/** Says that it is alive for so long from now on; 0 says that it has ended. */
export async function keepAlive(
  { query, tables }: Database,
  { name, identity, aliveMs }: Pick<NodeEntry, 'name' | 'identity' | 'aliveMs'>,
): Promise<void> {
  await query(
    `UPDATE ${tables.nodes} SET alive_until = now() + $3 * interval '1 millisecond' WHERE name = $1 AND identity = $2`,
    [name, identity, aliveMs],
  )
}

export async function readNodes({ query, tables }: Database): Promise<readonly NodeRow[]> {
  const { rows } = await query(
    `SELECT name, service_url, bench_url, ca_pem, alive_until > now() AS is_alive, alive_until::text AS alive_until FROM ${tables.nodes} ORDER BY name`,
  )
  return rows.map(({ name, service_url, bench_url, ca_pem, is_alive, alive_until }) => ({
    name: String(name),
    serviceUrl: String(service_url),
    benchUrl: String(bench_url),
    caPem: String(ca_pem),
    isAlive: is_alive === true,
    aliveUntil: String(alive_until),
  }))
}
