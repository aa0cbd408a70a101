import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createUndiciTransport } from '../../../sandbox/adapters/transport/undici-transport.ts'
import { createEgress } from '../../../sandbox/engine/delivery/egress.ts'
import type { Registration } from '../../../sandbox/engine/state/entries.ts'
import { testAuthority } from '../../support/certificates.ts'
import { type TestSandbox, testSandbox } from '../../support/test-sandbox.ts'
import type { Spelling } from './spellings.ts'

const REFUSALS: ReadonlySet<unknown> = new Set(['blocked_address', 'target_is_sandbox', 'dns_not_found'])

const ENABLED = { enabled: true }

const ELSEWHERE = 'https://localhost:1/7d1c'

const authority = await testAuthority()

/** Tries every operation that uses a URL. Returns the problems, such as a forbidden URL that was accepted, or a connection to a forbidden address. */
async function trySpelling(spelling: Spelling, sentinel: Sentinel): Promise<readonly string[]> {
  const { host, lookup, allowTargets = [] } = spelling
  const egress = createEgress({ allowTargets, ownPorts: () => [sentinel.port] })
  const transport = createUndiciTransport({
    trustedCas: () => [authority.pem],
    egress,
    ...(lookup && { lookup }),
  })
  const sandbox = testSandbox({ sendThrough: transport, egress })
  const before = sentinel.count()
  try {
    const url = `https://${host}:${sentinel.port}/7d1c`
    const problems = [
      ...(await tryRegistering(sandbox, url)),
      ...(await trySending(sandbox, url)),
      ...(await tryCrafting(sandbox, url)),
    ]
    const connections = sentinel.count() - before
    return connections === 0 ? problems : [...problems, `${connections} connections`]
  } finally {
    await transport.close()
    await sandbox.close()
  }
}

async function tryRegistering(sandbox: TestSandbox, url: string): Promise<readonly string[]> {
  const webhook = await store(sandbox, { generation: 'webhooks', object_type: 'accounts', url: ELSEWHERE })
  const callback = await store(sandbox, { generation: 'callbacks', object_type: 'accounts', url: ELSEWHERE })
  const wanted = { url, object_type: 'companies' }
  const answers = {
    'create webhook': await sandbox.call('POST', '/webhooks', wanted),
    'create callback': await sandbox.call('POST', '/callbacks', wanted),
    'update webhook': await sandbox.call('PATCH', `/webhooks/${webhook}`, { url }),
    'update callback': await sandbox.call('PATCH', `/callbacks/${callback}`, { url }),
  }
  const stored = [...sandbox.store.registrations('webhooks'), ...sandbox.store.registrations('callbacks')]
  return [
    ...Object.entries(answers)
      .filter(([, { status }]) => status !== 422)
      .map(([door, { status }]) => `${door} answered ${status}`),
    ...stored.filter((each) => each.url !== ELSEWHERE).map((each) => `registered as ${each.url}`),
  ]
}

/**
 * Tries to enable stored registrations, deliver to their URLs and resend a job. Earlier versions of the sandbox may have stored
 * URLs that are now forbidden. Returns the problems.
 */
async function trySending(sandbox: TestSandbox, url: string): Promise<readonly string[]> {
  // The sandbox stores URLs in normalized form. Earlier versions never stored invalid URLs, so this test enables no registration
  // with an invalid URL.
  const known = URL.parse(url)?.href
  const stored = known ?? url
  await store(sandbox, { generation: 'webhooks', object_type: 'items', url: stored })
  await store(sandbox, { generation: 'callbacks', object_type: 'items', url: stored })
  const wanted = { generation: 'webhooks', object_type: 'users', url: stored, enabled: false } as const
  const off = known === undefined ? undefined : await store(sandbox, wanted)
  const enabled = off === undefined ? 200 : (await sandbox.call('PATCH', `/webhooks/${off}`, ENABLED)).status
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/objects/users', {})
  await sandbox.idle()
  const failed = sandbox.store.jobs().find(({ generation }) => generation === 'webhooks')
  const resent = await sandbox.control('POST', `/jobs/${failed?.id}/resend`, {})
  await sandbox.idle()

  const expected = off === undefined ? 3 : 4
  const reasons = sandbox.attempts.map(({ reason }) => reason)
  return [
    ...(enabled === 200 ? [] : [`enable answered ${enabled}`]),
    ...(resent.status < 300 ? [] : [`resend answered ${resent.status}`]),
    ...(reasons.length === expected ? [] : [`${reasons.length} attempts instead of ${expected}`]),
    ...reasons.filter((reason) => !REFUSALS.has(reason)).map((reason) => `a delivery ended with ${reason}`),
  ]
}

async function tryCrafting(sandbox: TestSandbox, url: string): Promise<readonly string[]> {
  const registration = sandbox.store.registrations('webhooks').find((each) => each.url !== ELSEWHERE)
  const answers = [
    await sandbox.control('POST', '/deliveries', { url, body: {} }),
    await sandbox.control('POST', '/deliveries', { registration: registration?.id, body: {} }),
  ]
  return answers.flatMap(({ status, body }) => {
    if (status === 422) return []
    const [exchange] = body.exchanges ?? []
    return REFUSALS.has(exchange?.reason)
      ? []
      : [`a crafted delivery answered ${status}: ${exchange?.reason}`]
  })
}

type Stored = Pick<Registration, 'generation' | 'object_type' | 'url'> & { readonly enabled?: boolean }

async function store({ context, commit }: TestSandbox, stored: Stored): Promise<string> {
  const [id, at] = [context.newId(), context.now()]
  const about = { id, description: null, enabled: true, created_at: at, updated_at: at }
  await commit([{ kind: 'registration', registration: { ...about, ...stored } as Registration }])
  return id
}

/** A server that listens on every address of this machine, at a forbidden port. */
interface Sentinel {
  readonly port: number
  count(): number
  close(): void
}

async function openSentinel(): Promise<Sentinel> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined).destroy()
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, count: () => connections, close: () => server.close() }
}

/** Tries each spelling in every operation that uses a URL. Returns one line for each spelling with a problem. */
export async function trySpellings(spellings: readonly Spelling[]): Promise<readonly string[]> {
  const sentinel = await openSentinel()
  const failures: string[] = []
  try {
    for (const spelling of spellings) {
      const problems = await trySpelling(spelling, sentinel)
      if (problems.length > 0) failures.push(`${spelling.host} (${spelling.address}): ${problems.join('; ')}`)
    }
    return failures
  } finally {
    sentinel.close()
  }
}
