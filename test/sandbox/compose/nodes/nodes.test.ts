import { expect, onTestFinished, test } from 'vitest'
import { startTcpProxy } from '../../../support/tcp-proxy.ts'
import { describePostgres } from '../../../support/postgres-tests.ts'
import { lastSchema, nodesOf, type TestNode } from '../../../support/postgres-nodes.ts'
import { eventReader } from '../../../support/event-reader.ts'
import { receiver, viaHttps } from '../../../support/node-receiver.ts'
import { worldClient } from '../../../support/world-client.ts'

describePostgres('nodes on one PostgreSQL', (bench) => {
  const start = () => nodesOf(bench.server)

  const ownerOf = async (node: TestNode, world: string) => {
    const { body } = await node.control('GET', '/worlds')
    return body.worlds.find(({ name }: { name: string }) => name === world)?.node
  }

  /** A world that the first of the nodes has. */
  async function addAt(node: TestNode, name: string) {
    const { status, body } = await node.control('POST', '/worlds', { name })
    if (status !== 201) throw new Error(`Cannot add ${name}: ${JSON.stringify(body)}`)
    const client = worldClient(node, body.access)
    await client.control('GET', '/clock')
    return body.access
  }

  test('answer for every world, whichever of them has it', async () => {
    const startNode = start()
    const [a, b] = [await startNode('a'), await startNode('b')]
    const access = await addAt(a, 'x')
    const atB = worldClient(b, access)

    const { body: made } = await atB.control('POST', '/objects/items', { name: 'Lamp' })
    const shown = await atB.service('GET', `/items/${made.id}`)
    const elsewhere = await a.control('GET', `/objects/items/${made.id}`)
    const { body: health } = await atB.control('GET', '/health')

    expect([shown.status, shown.body.items.name, elsewhere.status]).toEqual([200, 'Lamp', 404])
    expect([health.node, health.service_url]).toEqual(['a', b.serviceUrl])
    expect([await ownerOf(b, 'x'), await ownerOf(a, 'default')]).toEqual(['a', await ownerOf(b, 'default')])
  })

  test('copy a world that another one has, and remove one', async () => {
    const startNode = start()
    const [a, b] = [await startNode('a'), await startNode('b')]
    const access = await addAt(b, 'x')
    const { body: made } = await worldClient(b, access).control('POST', '/objects/items', {})

    const copy = await a.control('POST', '/worlds/x/copy', { name: 'y' })
    const there = await a.control('GET', `/objects/items/${made.id}`, undefined, 'y')
    const removed = await a.control('DELETE', '/worlds/x')
    const { status, body } = await a.control('GET', '/objects/items', undefined, 'x')

    expect([copy.status, there.status, removed.status, status, body.error.code]).toEqual([
      201,
      200,
      200,
      404,
      'unknown_world',
    ])
    await expect
      .poll(async () => (await worldClient(b, access).control('GET', '/objects/items')).status)
      .toBe(401)
  })

  test('let one of two add a world of one name, or with one client id', async () => {
    const startNode = start()
    const nodes = [await startNode('a'), await startNode('b')]
    const addAll = (request: (index: number) => object) =>
      Promise.all(nodes.map((node, index) => node.control('POST', '/worlds', request(index))))

    const names = await addAll(() => ({ name: 'x' }))
    const clients = await addAll((index) => ({ name: `y${index}`, credentials: { client_id: 'mine' } }))

    const outcomes = (answers: typeof names) =>
      new Set(answers.map(({ status, body }) => (status === 201 ? 'added' : body.error.code)))
    expect([outcomes(names), outcomes(clients)]).toEqual([
      new Set(['added', 'world_taken']),
      new Set(['added', 'client_id_taken']),
    ])
  })

  test('have one token, one default world and names of their own: what differs is refused', async () => {
    const startNode = start()
    const a = await startNode('a', { benchToken: 'one-token' })
    const b = await startNode('b')
    const others = [
      { benchToken: 'other-token' },
      { seed: 7 },
      { settings: { readings: {}, credentials: { ...credentialsOf('other') } } },
    ]

    expect([a.rootToken, b.rootToken]).toEqual(['one-token', 'one-token'])
    await expect(startNode('a')).rejects.toThrow('Cannot use node name "a": another node')
    for (const other of others) await expect(startNode('c', other)).rejects.toThrow(/^Cannot use this/)
  })

  test('stream events through, end them with their owner, and tell of the gap when another goes on', async () => {
    const startNode = start()
    const [a, b] = [await startNode('a'), await startNode('b')]
    await addAt(a, 'x')
    const follow = (id?: string) =>
      fetch(`${b.benchUrl}/control/events`, {
        headers: {
          authorization: `Bearer ${b.rootToken}`,
          'hookbench-world': 'x',
          ...(id !== undefined && { 'last-event-id': id }),
        },
      })
    const events = eventReader(await follow())
    await b.control('POST', '/objects/items', {}, 'x')
    const [first] = await events.take(1)
    await a.close()

    const readOn = async (): Promise<never> => events.take(1).then(readOn)
    await expect(readOn()).rejects.toThrow('The stream of events ended')
    const next = eventReader(await follow(first?.id))
    const [gap] = await next.take(1)
    await next.cancel()

    expect([first?.type, gap?.type, await ownerOf(b, 'x')]).toEqual(['object', 'gap', 'b'])
  })

  test('give up a call when its caller is gone', async () => {
    const startNode = start()
    const [a, b] = [await startNode('a'), await startNode('b')]
    await addAt(a, 'x')
    const leaving = new AbortController()
    const stream = await fetch(`${b.benchUrl}/control/events`, {
      headers: { authorization: `Bearer ${b.rootToken}`, 'hookbench-world': 'x' },
      signal: leaving.signal,
    })
    leaving.abort()
    await stream.text().catch(() => {})

    // A stream that went on would be waited for.
    const began = performance.now()
    await b.close()
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('answer 503 while a world has no node that can be reached, each listener in its own words', async () => {
    const startNode = start()
    const a = await startNode('a')
    const schema = await lastSchema(bench.server)
    await a.control('GET', '/clock')
    await bench.server.query(
      `UPDATE ${schema}.worlds SET holder = 'other', node = 'gone', epoch = epoch + 1, lease_until = now() + interval '1 hour'`,
    )
    const refused = await a.control('POST', '/objects/items', {})
    await expect.poll(() => a.problems.at(-1)).toBe('fenced')

    const moving = await a.control('GET', '/objects/items')
    const webhooks = await fetch(`${a.serviceUrl}/webhooks`)
    const items = await a.service('GET', '/items/1')

    expect([refused.status, refused.body.error.code]).toEqual([503, 'world_moving'])
    expect([moving.status, moving.body.error.code]).toEqual([503, 'world_moving'])
    expect([webhooks.status, webhooks.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await webhooks.json()).toEqual({
      status: 'Service Unavailable',
      message: 'World "default" is moving to another node: try again',
    })
    expect([items.status, Object.keys(items.body)]).toEqual([503, ['errors']])
    await bench.server.query(`UPDATE ${schema}.worlds SET holder = NULL, lease_until = '-infinity'`)
    await expect.poll(async () => (await a.control('GET', '/objects/items')).status).toBe(200)
  })

  test('take up at once what an earlier run on the same data folder had when it was killed, by then fenced', async () => {
    const startNode = start()
    const earlier = await startNode('a', { identity: 'one' })
    await earlier.control('POST', '/objects/items', {})
    const later = await startNode('a', { identity: 'one' })

    await expect.poll(() => later.taken).toEqual(['default'])
    await earlier.control('POST', '/objects/items', {})
    const { body } = await later.control('GET', '/objects/items')
    expect([earlier.problems, body.objects.length]).toEqual([['fenced'], 1])
  })

  test('do not pass on what another one passed on, and nobody else can say that he is one', async () => {
    const startNode = start()
    const [a, b] = [await startNode('a'), await startNode('b')]
    await addAt(a, 'x')
    const call = (secret: string) =>
      fetch(`${b.benchUrl}/control/clock`, {
        headers: {
          authorization: `Bearer ${b.rootToken}`,
          'hookbench-world': 'x',
          'hookbench-passed-on': secret,
        },
      })
    const rows = await bench.server.query(
      `SELECT table_schema FROM information_schema.tables WHERE table_name = 'shared'`,
    )
    const secrets = await Promise.all(
      rows.map(({ table_schema }) =>
        bench.server.query(`SELECT value FROM ${String(table_schema)}.shared WHERE key = 'node_secret'`),
      ),
    )

    const answers = await Promise.all(secrets.flat().map(({ value }) => call(String(value))))

    expect((await call('guess')).status).toBe(200)
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(1)
  })

  test('go on with the worlds of one that ends, and send what was due there', async () => {
    const startNode = start()
    const [a, b] = [await startNode('a', { speed: 300 }), await startNode('b', { speed: 300 })]
    await a.control('GET', '/clock')
    const statuses = [503, 200]
    const { url, received } = await receiver(a, () => statuses[received.length - 1] ?? 200)
    const { access } = (await b.control('GET', '/worlds/default')).body
    await worldClient(b, access).service('POST', '/webhooks', { url, object_type: 'items' })
    const owner = (await ownerOf(a, 'default')) === 'a' ? a : b
    const other = owner === a ? b : a
    await other.control('POST', '/objects/items', {})
    await expect.poll(() => received.length).toBe(1)

    await owner.close()

    await expect.poll(() => received.length).toBe(2)
    const { body } = await other.control('GET', '/jobs')
    expect([other.taken, body.jobs.map((job: { status: string }) => job.status)]).toEqual([
      ['default'],
      ['success'],
    ])
  })

  test('answer reads and refuse changes while PostgreSQL is away, and go on when it is back', async () => {
    const proxy = await startTcpProxy(bench.server.port)
    onTestFinished(() => proxy.close())
    const store = bench.server.url({ port: proxy.port, schema: `s_${Date.now()}` })
    const startNode = start()
    const [a, b] = [await startNode('a', { store }), await startNode('b', { store })]
    await a.control('POST', '/objects/items', {})
    await b.control('GET', '/objects/items')
    proxy.refuse()
    const refused = await a.control('POST', '/objects/items', {})
    const read = await a.control('GET', '/objects/items')
    const passedOn = await b.control('GET', '/objects/items')
    const health = await a.control('GET', '/health')
    proxy.open()

    await expect.poll(async () => (await a.control('POST', '/objects/items', {})).status).toBe(201)
    expect([refused.status, refused.body.error.code]).toEqual([503, 'storage_away'])
    expect([read.status, passedOn.status]).toEqual([200, 200])
    expect([health.body.status, health.body.ready]).toEqual(['storage_away', false])
  })

  test('that others can reach call each other over HTTPS, trusting the CA of each', async () => {
    const startNode = start()
    const place = { address: '127.0.0.1', allowedHosts: ['localhost'] }
    const [a, b] = [await startNode('a', { listenAt: place }), await startNode('b', { listenAt: place })]
    await bench.server.query('SELECT 1')
    const own = await viaHttps(a, '/control/clock')
    const passedOn = await viaHttps(b, '/control/clock')

    expect([a.benchUrl.slice(0, 8), own, passedOn]).toEqual(['https://', 200, 200])
  })
})

function credentialsOf(word: string) {
  return { client_id: word, client_secret: `${word}-s`, email: `${word}@e.test`, api_token: `${word}-t` }
}
