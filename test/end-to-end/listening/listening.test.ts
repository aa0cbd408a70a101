import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import type { ReachableWorld } from '../../../sandbox/cli/worlds-command.ts'
import { OPERATIONS } from '../../../spec/generated/control-operations.ts'
import { hasIpv6 } from '../../support/ipv6.ts'
import { useWorkshop } from '../../support/workshop.ts'
import { duringFile } from '../../support/lifetimes.ts'
import { openStoredSandbox, rawCall } from '../../support/stored-sandbox.ts'

// A public listener on a loopback address. With `HOOKBENCH_LISTENERS=beyond-loopback`, the tests in `inputs` also use it.

const TOKEN = 'a-token-of-the-test'
const listenAt = { address: '127.0.0.1', allowedHosts: ['hookbench.test', 'localhost:5011'] }
const sandbox = duringFile(() => openStoredSandbox({ benchToken: TOKEN, listenAt }))

interface Call {
  readonly headers?: readonly string[]
  readonly path?: string
}

function call(url: string, { headers = [], path = '/control/health' }: Call = {}) {
  const { port } = new URL(url)
  const sent = headers.map((header) => header.replace('PORT', port))
  const named = sent.some((header) => header.startsWith('Host:')) ? [] : [`Host: hookbench.test:${port}`]
  return rawCall(url, {
    method: 'GET',
    path,
    ca: sandbox.ca.certificatePem,
    headers: [`Authorization: Bearer ${TOKEN}`, ...named, ...sent],
  })
}

test.each<[string, Call, number]>([
  ['the allowed name', {}, 200],
  ['the allowed name in capitals', { headers: ['Host: HookBench.Test:PORT'] }, 200],
  ['a name that is allowed with another port', { headers: ['Host: localhost:5011'] }, 200],
  ['the address of the listener', { headers: ['Host: 127.0.0.1:PORT'] }, 200],
  ['its own origin', { headers: ['Origin: https://hookbench.test:PORT'] }, 200],
  ['a same-origin fetch', { headers: ['Sec-Fetch-Site: same-origin'] }, 200],
  ['the allowed name without its port', { headers: ['Host: hookbench.test'] }, 403],
  ['the allowed name with another port', { headers: ['Host: hookbench.test:1'] }, 403],
  ['a name with the same ending', { headers: ['Host: evil-hookbench.test:PORT'] }, 403],
  ['a subdomain of the allowed name', { headers: ['Host: a.hookbench.test:PORT'] }, 403],
  ['another name', { headers: ['Host: evil.test:PORT'] }, 403],
  ['another address', { headers: ['Host: 127.0.0.2:PORT'] }, 403],
  ['localhost, although the listener does not use every address', { headers: ['Host: localhost:PORT'] }, 403],
  ['its origin over HTTP', { headers: ['Origin: http://hookbench.test:PORT'] }, 403],
  ['another origin', { headers: ['Origin: https://evil.test'] }, 403],
  ['the null origin', { headers: ['Origin: null'] }, 403],
  ['a page of a neighbouring site', { headers: ['Sec-Fetch-Site: same-site'] }, 403],
  ['a delivery of the sandbox', { headers: ['User-Agent: Hookbench-Delivery/0.1'] }, 403],
])('both listeners accept or reject a call by its target and its source: %s', async (_, given, status) => {
  const bench = await call(sandbox.benchUrl, given)
  const service = await call(sandbox.serviceUrl, { ...given, path: '/nothing' })

  expect([bench.status, service.status]).toEqual([status, status === 200 ? 404 : status])
})

test('a call with a wrong Host header gets the fix without the allowed host names', async () => {
  const { body } = await call(sandbox.benchUrl, { headers: ['Host: evil.test'] })

  expect(JSON.stringify(body)).toContain('use a host name that you allowed with \\"up --allowed-host\\"')
  expect(JSON.stringify(body)).not.toContain('hookbench.test')
})

test('the TLS listeners do not answer plain HTTP, even with the right token', async () => {
  const headers = [`Authorization: Bearer ${TOKEN}`]
  for (const url of [sandbox.benchUrl, sandbox.serviceUrl]) {
    const plain = url.replace('https:', 'http:')

    expect(await rawCall(plain, { method: 'GET', path: '/control/health', headers })).toEqual({
      status: null,
      headers: '',
      body: '',
    })
  }
})

test.each([
  ['trusted under the allowed name', 'hookbench.test', true, /^trusted$/],
  ['trusted under a name that is allowed with its own port', 'localhost', true, /^trusted$/],
  ['rejected under another name', 'evil.test', true, /^ERR_TLS_CERT_ALTNAME_INVALID$/],
  ['rejected without its CA', 'hookbench.test', false, /^(SELF_SIGNED|UNABLE)_/],
])('the certificate of both listeners is %s', async (...[_, servername, hasCa, expected]) => {
  const options = { host: '127.0.0.1', servername, ...(hasCa && { ca: sandbox.ca.certificatePem }) }
  for (const url of [sandbox.benchUrl, sandbox.serviceUrl]) {
    const outcome = await new Promise((resolve) => {
      const socket = connect({ ...options, port: Number(new URL(url).port) }, () => {
        socket.destroy()
        resolve('trusted')
      })
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    })
    expect(outcome).toMatch(expected)
  }
})

test('every operation of a public control API needs the token, including health', async () => {
  for (const { id, method, path, body } of Object.values(OPERATIONS)) {
    const headers = ['Content-Type: application/json']
    const { ca, benchUrl } = sandbox
    const { status } = await rawCall(benchUrl, {
      method,
      path: path.replaceAll(/\{\w+\}/g, 'x'),
      headers,
      body: body ? '{}' : '',
      ca: ca.certificatePem,
    })
    expect([id, status]).toEqual([id, 401])
  }
})

test('health shows the external service URL to callers with the token', async () => {
  const { body } = await call(sandbox.benchUrl)

  expect(body).toMatchObject({
    service_url: `https://hookbench.test:${new URL(sandbox.serviceUrl).port}`,
  })
})

test('the dashboard has a content security policy that forbids external content', async () => {
  const { headers } = await call(sandbox.benchUrl, { path: '/' })

  for (const header of [
    "content-security-policy: default-src 'none'",
    'x-content-type-options: nosniff',
    'cache-control: no-store',
  ])
    expect(headers.toLowerCase()).toContain(header)
})

const SECRETS = {
  HOOKBENCH_TOKEN: '6f1c0de4b7a958236f1c0de4b7a95823',
  HOOKBENCH_CLIENT_SECRET: '2881ea3df10fc2446f9eddce9ec2cf18',
  HOOKBENCH_API_TOKEN: '2b50a2354162e37e1b0a91ba680a6576',
}

test('the command "up" names missing credentials, and other commands find the started sandbox', async () => {
  const bare = useWorkshop()
  const own = useWorkshop(SECRETS)
  const listen = ['--listen', '127.0.0.1', '--allowed-host', 'localhost']

  const refused = await bare.run('up', '--memory', ...listen)
  const { ready } = await own.up('--memory', ...listen)
  const found = await own.run('ready')
  await own.run('cert', 'receiver', '--with-ca', '--out', 'certs')
  const elsewhere = useWorkshop({
    ...SECRETS,
    HOOKBENCH_URL: String(ready['bench_url']),
    HOOKBENCH_CA: join(own.folder, 'certs/ca.crt.pem'),
  })
  const fromElsewhere = await elsewhere.run('jobs')

  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('HOOKBENCH_API_TOKEN=$(openssl') })
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining(String(ready['service_url'])) })
  expect([ready['allowed_hosts'], fromElsewhere]).toEqual([
    ['localhost'],
    { code: 0, stdout: 'No jobs\n', stderr: '' },
  ])
})

test.skipIf(!hasIpv6)('commands find a sandbox at an IPv6 address and trust its certificate', async () => {
  const own = useWorkshop(SECRETS)

  const { ready } = await own.up('--memory', '--listen', '::1', '--allowed-host', 'hookbench.test')
  const jobs = await own.run('jobs')

  expect(ready['bench_url']).toMatch(/^https:\/\/\[::1\]:\d+$/)
  expect(jobs).toEqual({ code: 0, stdout: 'No jobs\n', stderr: '' })
})

test('the commands "worlds add" and "worlds show" print the external and the local addresses of a world', async () => {
  const own = useWorkshop(SECRETS)
  const { ready } = await own.up('--memory', '--listen', '127.0.0.1', '--allowed-host', 'hookbench.test')

  const world = await own.json<ReachableWorld>('worlds', 'add', 'anna')
  const { stdout } = await own.run('worlds', 'show', 'anna')

  const port = (url: unknown) => new URL(String(url)).port
  expect(world).toMatchObject({
    bench_url: ready['bench_url'],
    public_service_url: `https://hookbench.test:${port(world.service_url)}`,
    public_bench_url: `https://hookbench.test:${port(ready['bench_url'])}`,
  })
  expect(stdout).toContain(`\nexport HOOKBENCH_URL=${world.public_bench_url}\n`)
  expect(stdout).toContain(`\n# export HOOKBENCH_URL=${world.bench_url}`)
})

test('a developer without the data folder gets a certificate of the sandbox CA', async () => {
  const own = useWorkshop(SECRETS)
  const { ready } = await own.up('--memory', '--listen', '127.0.0.1', '--allowed-host', 'hookbench.test')
  const elsewhere = useWorkshop({
    ...SECRETS,
    HOOKBENCH_URL: String(ready['bench_url']),
    HOOKBENCH_CA: join(own.folder, '.hookbench/ca/ca.crt.pem'),
  })

  const issued = await elsewhere.json<{ ca: string; ca_is_new: boolean }>('cert', 'receiver.test')
  const refused = await elsewhere.run('cert', 'a..b')

  expect(issued).toMatchObject({ ca: 'ca.crt.pem', ca_is_new: false })
  const issuer = new X509Certificate(readFileSync(join(own.folder, '.hookbench/ca/ca.crt.pem')))
  const certificate = new X509Certificate(readFileSync(join(elsewhere.folder, 'receiver.test.crt.pem')))
  expect([certificate.verify(issuer.publicKey), certificate.subjectAltName]).toEqual([
    true,
    'DNS:receiver.test',
  ])
  expect(readFileSync(join(elsewhere.folder, 'ca.crt.pem'), 'utf8')).toBe(issuer.toString())
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('the name must be a host name or an'),
  ])
})

test('the command "up" rejects a listen address that does not belong to this machine and names the address', async () => {
  const opening = openStoredSandbox({ listenAt: { address: '192.0.2.1', allowedHosts: ['hookbench.test'] } })

  await expect(opening).rejects.toThrow(
    'Cannot listen on 192.0.2.1: this machine does not have that address. Give an address of this machine with --listen, or 0.0.0.0 for all addresses',
  )
})
