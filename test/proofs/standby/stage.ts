import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataFolder } from '../../../sandbox/adapters/data-folder.ts'
import { openCertificateAuthority } from '../../../sandbox/adapters/certificate-authority.ts'
import { standbyProcess, TOKEN, type Answer, type StandbyProcess } from '../../support/standby-process.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { call, type WorldKey } from './customers.ts'
import { noteChangesets } from './history.ts'
import { openShop, type Shop } from './shop.ts'

export interface Stage {
  readonly server: PostgresServer
  readonly processes: readonly StandbyProcess[]
  readonly worlds: readonly WorldKey[]
  readonly shop: Shop
  active(): Promise<StandbyProcess>
  /** Calls the control API. Repeats the call after a 503. */
  ask(world: Pick<WorldKey, 'controlToken'>, ...call: Ask): Promise<Answer>
  close(): Promise<string>
}

type Ask = readonly [method: string, path: string, body?: unknown]

const LEASE_MS = 1_500
const NAMES = ['a', 'b', 'c']

export async function openStage(worldCount: number): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'hookbench-standbys-'))
  const server = await startPostgres()
  const dataOf = (name: string) => join(root, name)
  const processes = NAMES.map((name) =>
    standbyProcess({ name, data: dataOf(name), store: server.url(), leaseMs: LEASE_MS }),
  )
  let shop: Shop | undefined

  async function ask(world: Pick<WorldKey, 'controlToken'>, ...[method, path, body]: Ask): Promise<Answer> {
    for (let turn = 0; ; turn++) {
      const up = processes.filter(({ isUp }) => isUp)
      const process = up[turn % up.length]
      const answer = process && (await call(process, world, { method, path, body }))
      if (answer && answer.status !== 503) return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function close(): Promise<string> {
    await shop?.close()
    const said = await Promise.all(processes.map((each) => each.end()))
    await server.remove()
    rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    return said.join('')
  }

  try {
    // All processes use the same CA.
    const [first = '', ...others] = NAMES.map((name) => openDataFolder(dataOf(name)).caFolder)
    const ca = await openCertificateAuthority(first)
    for (const other of others) cpSync(first, other, { recursive: true })
    shop = await openShop(await ca.issue(['localhost']))
    for (const each of processes) await each.start()
    const controlToken = TOKEN
    await ask({ controlToken }, 'GET', '/worlds')
    await noteChangesets(server)
    const worlds: WorldKey[] = []
    for (let index = 0; index < worldCount; index++) {
      const name = `w${index}`
      const added = await ask({ controlToken }, 'POST', '/worlds', { name })
      // 409 means that the response to an earlier call was lost.
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
      processes,
      worlds,
      shop,
      ask,
      close,
      active: () => findActive({ server, processes }),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function findActive({
  server,
  processes,
}: Pick<Stage, 'server' | 'processes'>): Promise<StandbyProcess> {
  for (;;) {
    const [row] = await server.query(
      "SELECT member ->> 'address' AS address FROM hookbench.lease WHERE holder IS NOT NULL AND expires > now()",
    )
    const active = processes.find(({ benchUrl, isUp }) => isUp && new URL(benchUrl).host === row?.['address'])
    if (active) return active
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
