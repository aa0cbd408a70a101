import { expect, test } from 'vitest'
import { RECEIVER, START, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

const URL = 'https://localhost:9443/anything'
const bytesSent = ({ transport }: TestSandbox) => transport.messages.map(({ body }) => Buffer.from(body))
const craft = (sandbox: TestSandbox, asked: object) => sandbox.control('POST', '/deliveries', asked)

test.each([
  [{ body: { items: { id: 'a', amount: 1.5 } } }, '{"items":{"id":"a","amount":1.5}}'],
  [{ body: null }, 'null'],
  [{ raw: '{"items": ' }, '{"items": '],
  [{ raw: 'Größe ✓', raw_encoding: 'utf8' }, 'Größe ✓'],
  [{ raw: 'AP/+', raw_encoding: 'base64' }, Buffer.from([0, 255, 254])],
])('a crafted delivery of %j sends and shows exactly its bytes', async (asked, expected) => {
  const sandbox = testSandbox()

  const { status, body } = await craft(sandbox, { url: URL, ...asked })

  const bytes = Buffer.from(expected)
  expect([status, sandbox.errors, bytesSent(sandbox)]).toEqual([201, [], [bytes]])
  expect(body.request).toEqual({
    headers: [
      ['content-type', 'application/json'],
      ['user-agent', 'Hookbench-Delivery/0.1'],
    ],
    body: bytes.toString('utf8'),
    body_base64: bytes.toString('base64'),
  })
})

test('a crafted delivery returns its request and response, and creates no job', async () => {
  const sandbox = testSandbox({
    script: () => ({ kind: 'answered', status: 422, headers: [['x-trace', 'a']], body: Buffer.from('no') }),
  })

  const { body } = await craft(sandbox, { url: URL, body: {} })

  expect(body).toMatchObject({
    crafted: true,
    at: new Date(START).toISOString(),
    url: URL,
    registration_id: null,
    exchanges: [
      {
        status: 422,
        reason: null,
        remedy: expect.stringContaining('let your receiver answer every POST'),
        timings: { connected_ms: 0, answered_ms: 0, total_ms: 0 },
        response: { status: 422, headers: [['x-trace', 'a']], body: 'no' },
      },
    ],
  })
  expect([sandbox.store.jobs(), (await sandbox.control('GET', `/deliveries/${body.id}`)).body]).toEqual([
    [],
    body,
  ])
})

test('a specified header replaces a service header regardless of letter case', async () => {
  const sandbox = testSandbox()

  await craft(sandbox, {
    url: URL,
    body: {},
    headers: { 'Content-Type': 'text/plain', 'x-empty': '', 'X-Latin': 'caf\u00e9\ttab' },
  })

  expect(sandbox.transport.messages[0]?.headers).toEqual({
    'user-agent': 'Hookbench-Delivery/0.1',
    'Content-Type': 'text/plain',
    'x-empty': '',
    'X-Latin': 'caf\u00e9\ttab',
  })
})

test.each([
  [{ url: URL, registration: 'x' }, 'url', 'give one of "url" and "registration"'],
  [{ url: 'http://localhost:9443/x' }, 'url', 'not HTTPS'],
  [{ url: 'https://127.0.0.1:4010/items' }, 'url', '4010'],
  [{ url: URL, raw: 'x' }, 'body', 'give one of "body" and "raw"'],
  [{ url: URL, body: undefined, raw: 'a', raw_encoding: 'base64' }, 'raw', 'the text is not base64'],
  [{ url: URL, headers: { 'x-a': 'b\r\nx-c: d' } }, 'headers/x-a', 'characters that a header cannot contain'],
  [{ url: URL, headers: { 'x-a': '✓' } }, 'headers/x-a', 'characters that a header cannot contain'],
  [{ url: URL, headers: { 'x-a\r\nb': 'c' } }, 'headers/x-a\r\nb', 'the name is not a valid header name'],
  [
    { url: URL, headers: { Host: 'evil.test' } },
    'headers/Host',
    'the sandbox sets the headers of the connection',
  ],
  [{ url: URL, times: 1_001 }, 'times', '"times" takes 1000 or less, not 1001'],
  [
    { url: URL, source_address: '13.236.213.54' },
    'source_address',
    'Start the sandbox with --source-addresses',
  ],
  [{ url: URL, source_address: '1.2.3.256' }, 'source_address', 'the value must be an IPv4 address'],
])('a crafted delivery of %j is rejected and not sent', async (asked, field, message) => {
  const sandbox = testSandbox()

  const { status, body } = await craft(sandbox, { body: {}, ...asked })

  expect([status, body.error.field]).toEqual([422, field])
  expect(body.error.message).toContain(message)
  expect([sandbox.store.length, sandbox.transport.messages, sandbox.errors]).toEqual([0, [], []])
})

test('a crafted delivery uses the URL of a disabled registration', async () => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()
  await sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: false })

  const { status, body } = await craft(sandbox, { registration: uuid, body: {} })
  const unknown = await craft(sandbox, { registration: 'unknown', body: {} })

  expect([status, body.url, body.registration_id]).toEqual([201, RECEIVER, uuid])
  expect([unknown.status, unknown.body.error.field]).toEqual([404, 'registration'])
})

test('a crafted delivery has the specified source address, either as its real address or in the configured header', async () => {
  const seen = await Promise.all(
    [{ kind: 'loopback' } as const, { kind: 'header', name: 'X-Real-IP' } as const].map(async (source) => {
      const sandbox = testSandbox({ source })
      await craft(sandbox, { url: URL, body: {}, source_address: '203.0.113.9' })
      await craft(sandbox, { url: URL, body: {} })
      return sandbox.transport.messages.map(
        ({ sourceAddress, headers }) => sourceAddress ?? headers['x-real-ip'],
      )
    }),
  )

  expect(seen).toEqual([
    ['127.0.113.9', '127.183.18.207'],
    ['203.0.113.9', '54.183.18.207'],
  ])
})

// printf '%s' '1767225600.{"items":{"name":"Größe 42 ✓"}}' | openssl dgst -sha256 -hmac "$SECRET" -binary | openssl base64 -A
const SECRET = 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9'
const SIGNED = 't=1767225600,v=SfT2PhDUcsbQVdZAUr17PJXVejLQijs0rluu2T8AH50'

test.each([
  [{ signed: true }, SIGNED],
  [{}, undefined],
  [{ signed: true, headers: { 'webhooks-signature': 'forged' } }, 'forged'],
])('a crafted delivery with %j is signed only on request', async (asked, expected) => {
  const sandbox = testSandbox()
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })

  await craft(sandbox, { url: URL, raw: '{"items":{"name":"Größe 42 ✓"}}', ...asked })

  const headers = new Headers(sandbox.transport.messages.at(-1)?.headers)
  expect(headers.get('webhooks-signature') ?? undefined).toBe(expected)
})

test('the repetitions of a crafted delivery are sent one at a time', async () => {
  let underWay = 0
  let most = 0
  const sandbox = testSandbox({
    async script(_, index) {
      most = Math.max(most, ++underWay)
      await Promise.resolve()
      underWay--
      return 200 + index
    },
  })

  const { body } = await craft(sandbox, { url: URL, body: {}, times: 5 })

  expect(body.exchanges.map(({ status }: { status: number }) => status)).toEqual([200, 201, 202, 203, 204])
  expect([most, sandbox.transport.messages.length]).toEqual([1, 5])
})

test('faults do not apply to a crafted delivery', async () => {
  const sandbox = testSandbox()
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'drop' })
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'duplicate' })

  const { body } = await craft(sandbox, { url: URL, body: {} })
  const { body: list } = await sandbox.control('GET', '/faults')

  expect([body.exchanges.length, sandbox.transport.messages.length]).toEqual([1, 1])
  expect(list.faults.map(({ matched }: { matched: number }) => matched)).toEqual([0, 0])
})

test('a signed delivery is rejected without a secret or when the reading "signature" is off', async () => {
  const sandbox = testSandbox()
  const deliver = () => sandbox.control('POST', '/deliveries', { url: URL, raw: '', signed: true })

  await sandbox.control('PATCH', '/readings', { signature: 'off' })
  const off = await deliver()
  await sandbox.control('PATCH', '/readings', { signature: 'hmac' })
  const withoutSecret = await deliver()
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })
  const signed = await deliver()

  expect([off.status, withoutSecret.status, signed.status]).toEqual([422, 422, 201])
  expect([off.body.error.message, withoutSecret.body.error.message]).toEqual([
    'Cannot sign the delivery: the reading signature is off',
    'Cannot sign the delivery: no secret is set',
  ])
})
