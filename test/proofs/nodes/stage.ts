import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { nodeProcess, type NodeProcess } from '../../support/node-process.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { call, type Answer, type WorldKey } from './customers.ts'
import { noteAppends } from './history.ts'
import { openShop, type Shop } from './shop.ts'

/** A PostgreSQL, nodes as processes, and worlds that notify one receiver. */
export interface Stage {
  readonly server: PostgresServer
  readonly nodes: readonly NodeProcess[]
  readonly worlds: readonly WorldKey[]
  readonly shop: Shop
  /** The name of the node that has a world, once one has. */
  ownerOf(world: WorldKey): Promise<NodeProcess>
  /** Asks again until a node answers otherwise than with 503. */
  ask(world: Pick<WorldKey, 'controlToken'>, ...call: Ask): Promise<Answer>
  /** Ends all of it; what the nodes said on stderr. */
  close(): Promise<string>
}

type Ask = readonly [method: string, path: string, body?: unknown]

const LEASE_MS = 1_500
const NODES = ['a', 'b', 'c']

export async function openStage(worldCount: number): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'hookbench-nodes-'))
  const server = await startPostgres()
  const dataOf = (name: string) => join(root, name)
  const nodes = NODES.map((name) =>
    nodeProcess({ name, data: dataOf(name), store: server.url(), leaseMs: LEASE_MS }),
  )
  let shop: Shop | undefined

  async function ask(world: Pick<WorldKey, 'controlToken'>, ...[method, path, body]: Ask): Promise<Answer> {
    for (let turn = 0; ; turn++) {
      const up = nodes.filter(({ isUp }) => isUp)
      const node = up[turn % up.length]
      const answer = node && (await call(node, world, { method, path, body }))
      if (answer && answer.status !== 503) return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function close(): Promise<string> {
    shop?.close()
    const said = await Promise.all(nodes.map((node) => node.end()))
    await server.remove()
    rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    return said.join('')
  }

  try {
    for (const node of nodes) await node.start()
    await noteAppends(server)
    const controlToken = readFileSync(join(dataOf('a'), 'token'), 'utf8').trim()
    // Any of the nodes' CAs is trusted by all of them.
    const ca = await openCertificateAuthority(join(dataOf('c'), 'ca'))
    shop = await openShop(await ca.issue(['localhost']))
    const worlds: WorldKey[] = []
    for (let index = 0; index < worldCount; index++) {
      const name = `w${index}`
      const added = await ask({ controlToken }, 'POST', '/worlds', { name })
      // It says so where the answer of an earlier try got lost.
      if (![201, 409].includes(added.status)) throw new Error(`Cannot add a world: ${JSON.stringify(added)}`)
      const { body } = await ask({ controlToken }, 'GET', `/worlds/${name}`)
      const world = { name, controlToken: body.access.control_token }
      const made = await ask(world, 'POST', '/registrations', {
        generation: 'webhooks',
        url: shop.url,
        object_type: 'items',
      })
      if (made.status !== 201) throw new Error(`Cannot register: ${JSON.stringify(made)}`)
      worlds.push(world)
    }
    return {
      server,
      nodes,
      worlds,
      shop,
      ask,
      close,
      ownerOf: (world) => findOwner({ server, nodes }, world),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function findOwner(
  { server, nodes }: Pick<Stage, 'server' | 'nodes'>,
  world: WorldKey,
): Promise<NodeProcess> {
  for (;;) {
    const [row] = await server.query(
      'SELECT node FROM hookbench.worlds WHERE name = $1 AND holder IS NOT NULL AND lease_until > now()',
      [world.name],
    )
    const owner = nodes.find(({ name, isUp }) => isUp && name === row?.['node'])
    if (owner) return owner
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
