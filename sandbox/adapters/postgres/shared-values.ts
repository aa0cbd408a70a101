import type { Database } from './database.ts'

/** What all nodes have in common, of which the first one has made each. */
export interface SharedValues {
  /** Opens the control API of every world. */
  readonly rootToken: string
  /** What access tokens are signed with, as text. */
  readonly tokenKey: string
  /** What nodes know each other's calls by. */
  readonly nodeSecret: string
}

const KEYS = { rootToken: 'root_token', tokenKey: 'token_key', nodeSecret: 'node_secret' } as const

/** Keeps these where the first node did not do so before; gives those that count. */
export async function agreeOnValues(
  { query, tables }: Database,
  offered: SharedValues,
): Promise<SharedValues> {
  const values = Object.entries(KEYS).flatMap(([name, key]) => [key, Reflect.get(offered, name)])
  await query(
    `INSERT INTO ${tables.shared} (key, value) VALUES ($1, $2), ($3, $4), ($5, $6) ON CONFLICT (key) DO NOTHING`,
    values,
  )
  const { rows } = await query(`SELECT key, value FROM ${tables.shared}`)
  const valueByKey = new Map(rows.map(({ key, value }) => [key, String(value)]))
  const find = (name: keyof SharedValues) => valueByKey.get(KEYS[name]) ?? offered[name]
  return { rootToken: find('rootToken'), tokenKey: find('tokenKey'), nodeSecret: find('nodeSecret') }
}
