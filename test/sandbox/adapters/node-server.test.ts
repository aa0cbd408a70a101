import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type Listener } from '../../../sandbox/adapters/node-server.ts'
import { testAuthority } from '../../support/certificates.ts'
import { tokenOf } from '../../support/requests.ts'
import { testSandbox } from '../../support/test-sandbox.ts'

const sandbox = testSandbox()
let listener: Listener
let authorization: string
let item: string

beforeAll(async () => {
  listener = await listen(sandbox.handle, { port: 0, flag: '--port' })
  authorization = `Bearer ${await tokenOf(sandbox)}`
  const { body } = await sandbox.control('POST', '/objects/items', { name: 'Überweisung ✓' })
  item = `/items/${body.id}`
})

afterAll(() => listener.close(0))

interface Call {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly port?: number
}

/** Calls the listener without `fetch()`, because `fetch()` would change the path. */
async function callPort({ method = 'GET', path, headers, body, port = listener.port }: Call) {
  const sent = { authorization, ...headers } as Record<string, string | string[]>
  const call = request({ port, host: '127.0.0.1', method, path, headers: sent })
  call.end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const { statusCode, headers: received } = response
  return { status: statusCode, type: received['content-type'] ?? null, body: await text(response) }
}

async function callFunction({ method = 'GET', path, headers = {}, body }: Call) {
  const url = `http://127.0.0.1:${listener.port}${path}`
  const sent = { authorization, ...headers } as Record<string, string>
  const response = await sandbox.service(
    new Request(url, { method, headers: sent, ...(body !== undefined && { body }) }),
  )
  const { status } = response
  return { status, type: response.headers.get('content-type'), body: await response.text() }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test.each<Omit<Call, 'path'> & { readonly path: (item: string) => string }>([
  { path: (known) => known },
  { path: (known) => `${known}/` },
  { path: (known) => `${known}?a=%C3%BC&b='"<>` },
  { path: (known) => `/./a/..${known}` },
  { path: (known) => known.replace('items', '%69tems') },
  { path: (known) => known, method: 'HEAD' },
  { path: (known) => known, headers: { authorization: 'Bearer wrong' } },
  { path: () => '/' },
  { path: () => '//items' },
  { path: () => '/items/%E0%A4%A/\\..\\x' },
  { path: () => '/webhooks?limit=nope' },
  { path: () => '/users', method: 'POST', headers: FORM, body: 'first_name=Ada&email=nobody' },
  { path: () => '/users', method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'Ada' },
  { path: () => '/users', method: 'POST', headers: FORM, body: 'a=1&a=2' },
])('a server on a port answers call %# exactly as the request handler does', async ({ path, ...rest }) => {
  const call = { ...rest, path: path(item) }

  expect(await callPort(call)).toEqual(await callFunction(call))
})

test('a port uses the path when the request target is an absolute URL', async () => {
  expect(await callPort({ path: `${listener.url}${item}` })).toEqual(await callFunction({ path: item }))
})

test('a listener rejects a request target that is not a path', async () => {
  expect(await callPort({ method: 'OPTIONS', path: '*' })).toMatchObject({ status: 400 })
})

test('a listener keeps repeated request headers separate', async () => {
  const twice = await callPort({ path: item, headers: { authorization: [authorization, authorization] } })

  expect(twice.status).toBe(401)
})

test.each(['/faults/', '/faults/.', '/faults/..', '/faults/%2e', '/x/%2E%2e/faults', '/faults\\.'])(
  'DELETE %s in the control API does not remove the collection',
  async (path) => {
    const own = testSandbox()
    const bench = await listen(own.benchHandle, { port: 0, flag: '--bench-port', exactPaths: true })
    await own.control('POST', '/faults', { on: 'delivery', kind: 'duplicate' })

    const headers = { authorization: 'Bearer bench-token' }
    const { status } = await callPort({
      method: 'DELETE',
      path: `/control${path}`,
      headers,
      port: bench.port,
    })
    await bench.close(0)

    expect([status, own.store.faults().length]).toEqual([path === '/faults/' ? 404 : 400, 1])
  },
)

/** Writes bytes and collects the response until the connection ends. */
function openConnection(
  port: number,
  written = '',
  from: { readonly localAddress?: string; readonly localPort?: number | undefined } = {},
): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connect({ port, host: '127.0.0.1', ...from })
  if (written !== '') socket.write(written)
  return { socket, answer: text(socket).catch(() => '') }
}

const QUICK = { headersMs: 40, requestMs: 80, connections: 2 }

test.each([
  ['headers', 'GET /items HTTP/1.1\r\nHost: '],
  ['body', 'POST /tokens HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 9\r\n\r\n{'],
])('a port answers 408 to %s that never end', async (_, begun) => {
  const own = testSandbox()
  const quick = await listen(own.handle, { port: 0, flag: '--port', limits: QUICK })

  const answer = await openConnection(quick.port, begun.replace('PORT', String(quick.port))).answer
  await quick.close(0)

  expect([answer.slice(0, 12), own.errors]).toEqual(['HTTP/1.1 408', []])
})

test('a port closes a silent TLS connection', async () => {
  const own = testSandbox()
  const { cert, key } = await (await testAuthority()).issue()
  const tls = { certificatePem: cert, privateKeyPem: key }
  const place = { address: '127.0.0.1', allowedHosts: ['hookbench.test'] }
  const quick = await listen(own.handle, { port: 0, flag: '--port', limits: QUICK, tls, place })

  const answer = await openConnection(quick.port).answer
  await quick.close(0)

  expect([answer, own.errors]).toEqual(['', []])
})

test('a public port is rejected without a certificate', async () => {
  const place = { address: '127.0.0.1', allowedHosts: ['hookbench.test'] }

  await expect(listen(sandbox.handle, { port: 0, flag: '--port', place })).rejects.toThrow(
    'Cannot listen on 127.0.0.1: HTTPS requires a certificate',
  )
})

test('a listener serves a limited number of connections and closes the remaining connections', async () => {
  const narrow = await listen(sandbox.handle, {
    port: 0,
    flag: '--port',
    limits: { ...LONG, connections: 2 },
  })
  const open = [openConnection(narrow.port), openConnection(narrow.port)]
  await Promise.all(open.map(({ socket }) => once(socket, 'connect')))

  const refused = await openConnection(narrow.port).answer
  const [first] = open
  first?.socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${narrow.port}\r\nConnection: close\r\n\r\n`)
  const served = await first?.answer
  await narrow.close(0)

  expect([refused, served?.slice(0, 12)]).toEqual(['', 'HTTP/1.1 404'])
})

const LONG = { headersMs: 60_000, requestMs: 60_000 }

test('an aborted call causes no error and gets no response', async () => {
  const own = testSandbox()
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<number | null>()]
  const { port, close } = await listen(
    (call) => {
      begun.resolve()
      return own.handle(call).then((response) => {
        ended.resolve(response.status)
        return response
      })
    },
    { port: 0, flag: '--port' },
  )
  const head = [
    'POST /tokens HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Content-Length: 9',
  ]
  const { socket } = openConnection(port, `${head.join('\r\n')}\r\n\r\n{`)
  await begun.promise

  socket.resetAndDestroy()
  const status = await ended.promise
  await close(0)

  expect([status, own.errors]).toEqual([null, []])
})

test('a fault cuts the connection after half of the body', async () => {
  await sandbox.control('POST', '/faults', { on: 'api', kind: 'reset', at: 'body', match: { path: item } })
  const call = request({ port: listener.port, host: '127.0.0.1', path: item, headers: { authorization } })
  call.end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  let received = ''
  response.setEncoding('latin1').on('data', (piece: string) => (received += piece))

  const code = await new Promise((resolve) =>
    response.once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code)),
  )
  await sandbox.control('DELETE', '/faults')
  const { body } = await callPort({ path: item })

  const half = Buffer.from(body).subarray(0, Math.ceil(Buffer.byteLength(body) / 2))
  expect([code, response.statusCode, received]).toEqual(['ECONNRESET', 200, half.toString('latin1')])
})
