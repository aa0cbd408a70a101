import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { Agent, Pool } from 'undici'
import { openCertificateAuthority } from '../../sandbox/adapters/certificate-authority.ts'
import { newObject } from '../../sandbox/engine/objects/objects.ts'
import { serveSandbox } from '../../sandbox/compose/serve-sandbox.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import { timestamp } from '../../sandbox/engine/core/timestamp.ts'

/** Ratios of what the sandbox does to the bare thing, both measured in this run, best of the rounds of each. */
const ROUNDS = 3
const CONNECTIONS = [50, 64]
const DELIVERIES = 4_000
const READS = 20_000

const folder = mkdtempSync(join(tmpdir(), 'hookbench-bench-'))
const children = [receiver(), fork(new URL('show-process.ts', import.meta.url))]
try {
  await deliveries()
  await reads()
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true })
}

/** The next message of a child process. */
async function told<Message>(child: ChildProcess | undefined): Promise<Message> {
  if (!child) throw new Error('Cannot measure: a process is missing')
  const [message]: Message[] = await once(child, 'message')
  if (message === undefined) throw new Error('Cannot measure: a process said nothing')
  return message
}

function receiver() {
  return fork(new URL('receiver-process.ts', import.meta.url))
}

/** One delivery with its record (job before, attempt after, SQLite) against a bare POST of the same bytes. */
async function deliveries(): Promise<void> {
  const ca = await openCertificateAuthority(join(folder, 'ca'))
  const { certificatePem: cert, privateKeyPem: key } = await ca.issue(['localhost'])
  const [child] = children
  child?.send({ cert, key })
  const { port } = await told<{ port: number }>(child)
  const url = `https://localhost:${port}/notifications/items`
  for (const connections of CONNECTIONS) {
    const bare = await best(() => barePosts(url, { ca: ca.certificatePem, connections }))
    const ours = await best(() => sandboxDeliveries(url, connections))
    report(`delivery with its record, ${connections} connections`, ours, bare)
  }
}

async function barePosts(
  url: string,
  { ca, connections }: { ca: string; connections: number },
): Promise<number> {
  const agent = new Agent({ connections, allowH2: false, connect: { ca: [...rootCertificates, ca] } })
  const { origin, pathname } = new URL(url)
  const body = Buffer.from(JSON.stringify({ items: bareItem() }))
  const headers = { 'content-type': 'application/json' }
  const post = async () => {
    const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body })
    await answer.body.dump()
  }
  const rate = await rateOf(DELIVERIES, connections, post)
  await agent.close()
  return rate
}

async function sandboxDeliveries(url: string, concurrency: number): Promise<number> {
  let delivered = 0
  const sandbox = await serveSandbox({
    caFolder: join(folder, 'ca'),
    storePath: join(folder, `store-${Math.random()}.sqlite`),
    port: 0,
    benchPort: 0,
    speed: 1,
    allowTargets: [],
    settings: defaultSettings,
    concurrency,
    onAttempt: (_, { reason }) => (delivered += reason === null ? 1 : 0),
    onError: (where, error) => console.error(where, error),
  })
  const { newId, now } = sandbox.context
  const at = now()
  await sandbox.commit([
    {
      kind: 'registration',
      registration: {
        generation: 'webhooks',
        id: newId(),
        url,
        object_type: 'items',
        enabled: true,
        description: null,
        created_at: at,
        updated_at: at,
      },
    },
  ])
  const startedAt = performance.now()
  await rateOf(DELIVERIES, concurrency, () => {
    const object = newObject('items', {}, { id: newId(), number: 1, now: timestamp(at), newId })
    return sandbox.commit([{ kind: 'object', object_type: 'items', object }])
  })
  await sandbox.idle()
  const rate = (DELIVERIES / (performance.now() - startedAt)) * 1_000
  if (delivered !== DELIVERIES) throw new Error(`Cannot measure: ${delivered} of ${DELIVERIES} arrived`)
  await sandbox.close()
  return rate
}

/** `GET /items/{id}` with its token against a bare server that answers the same bytes. */
async function reads(): Promise<void> {
  const [, child] = children
  const { service, bare, path } = await told<{ service: string; bare: string; path: string }>(child)
  const token = await accessToken(service)
  for (const connections of CONNECTIONS) {
    const bareRate = await best(() => gets(bare, { path, token, connections }))
    const ours = await best(() => gets(service, { path, token, connections }))
    report(`GET /items/{id}, ${connections} connections`, ours, bareRate)
  }
}

async function accessToken(service: string): Promise<string> {
  const grant = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' }
  const headers = { 'content-type': 'application/json' }
  const granted = await fetch(`${service}/tokens`, { method: 'POST', headers, body: JSON.stringify(grant) })
  const { access_token } = (await granted.json()) as { access_token: string }
  return access_token
}

async function gets(
  origin: string,
  { path, token, connections }: { path: string; token: string; connections: number },
): Promise<number> {
  const pool = new Pool(origin, { connections })
  const headers = { authorization: `Bearer ${token}` }
  const get = async () => {
    const answer = await pool.request({ path, method: 'GET', headers })
    if (answer.statusCode !== 200) throw new Error(`Cannot measure: ${origin} answered ${answer.statusCode}`)
    await answer.body.dump()
  }
  const rate = await rateOf(READS, connections, get)
  await pool.close()
  return rate
}

/** Calls a second, `parallel` at a time. */
async function rateOf(calls: number, parallel: number, call: () => Promise<void>): Promise<number> {
  let left = calls
  const startedAt = performance.now()
  const worker = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return (calls / (performance.now() - startedAt)) * 1_000
}

async function best(measure: () => Promise<number>): Promise<number> {
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) rates.push(await measure())
  return Math.max(...rates)
}

function bareItem() {
  return newObject(
    'items',
    {},
    { number: 1, id: '9a7b2f04-51c3-4d1e-8f60-2b7c9d0e1f23', now: timestamp(0), newId: () => '9a7b2f04' },
  )
}

function report(what: string, ours: number, bare: number): void {
  const rates = `${Math.round(ours)} a second against ${Math.round(bare)}`
  console.log(`${what.padEnd(46)} ${(ours / bare).toFixed(2)}   ${rates}`)
}
