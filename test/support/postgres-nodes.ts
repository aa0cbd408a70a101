import { randomUUID } from 'node:crypto'
import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { serveNode, type ServedNode, type ServeNodeOptions } from '../../sandbox/compose/nodes/serve-node.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import type { PostgresServer } from './postgres.ts'
import { callAt } from './world-client.ts'
import type { Answer } from './walk.ts'

/** A node in this process, and what it said. */
export interface TestNode extends ServedNode {
  readonly name: string
  readonly problems: readonly (string | undefined)[]
  readonly taken: readonly string[]
  /** Its bench, with the token of all worlds. */
  control(method: string, path: string, ...[body, world]: readonly [unknown?, string?]): Promise<Answer>
  /** Its service API, with the user of the default world. */
  service(method: string, path: string, body?: unknown): Promise<Answer>
}

export type StartNode = (name: string, options?: Partial<ServeNodeOptions>) => Promise<TestNode>

/** Starts nodes on a schema that no other test has; each ends with the test. */
export function nodesOf(server: PostgresServer): StartNode {
  const schema = `s_${randomUUID().replaceAll('-', '')}`
  return (name, options = {}) => startNode(name, { store: server.url({ schema }), ...options })
}

/** The schema of the nodes that were started last. */
export async function lastSchema({ query }: Pick<PostgresServer, 'query'>): Promise<string> {
  const rows = await query(
    `SELECT nspname FROM pg_namespace WHERE nspname LIKE 's\\_%' ORDER BY oid DESC LIMIT 1`,
  )
  return String(rows[0]?.['nspname'])
}

async function startNode(
  name: string,
  given: Partial<ServeNodeOptions> & Pick<ServeNodeOptions, 'store'>,
): Promise<TestNode> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-node-'))
  const problems: (string | undefined)[] = []
  const taken: string[] = []
  let close: (() => Promise<void>) | undefined
  onTestFinished(async () => {
    await close?.()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const served = await serveNode({
    node: name,
    identity: folder,
    leaseMs: 10_000,
    caFolder: join(folder, 'ca'),
    port: 0,
    benchPort: 0,
    allowTargets: [],
    settings: defaultSettings,
    graceMs: 200,
    onError: (where, error) => console.error(where, error),
    onStorage: (problem) => problems.push(problem?.kind),
    onTaken: (world) => taken.push(world.name),
    ...given,
  })
  let closing: Promise<void> | undefined
  close = () => (closing ??= served.close())
  const root = { authorization: `Bearer ${served.rootToken}` }
  const user = {
    authorization: `Basic ${Buffer.from('sandbox@example.test:sandbox-token').toString('base64')}`,
  }
  return {
    ...served,
    name,
    problems,
    taken,
    close,
    control: (method, path, ...[body, world]) =>
      callAt(`${served.benchUrl}/control${path}`, {
        method,
        body,
        headers: { ...root, ...(world !== undefined && { 'hookbench-world': world }) },
      }),
    service: (method, path, body) => callAt(`${served.serviceUrl}${path}`, { method, body, headers: user }),
  }
}
