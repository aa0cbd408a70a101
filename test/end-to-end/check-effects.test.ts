import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { testAuthority, type TestCertificate } from '../support/certificates.ts'
import { openWorkshop } from '../support/program.ts'

const shop = openWorkshop()
const servers: ReturnType<typeof createServer>[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
afterAll(() => shop.close())

/** A receiver that accepts everything, and shows at its own address what it did about an object. */
async function openPlatform({ cert, key }: TestCertificate, shown: string): Promise<string> {
  const server = createServer({ cert, key }, ({ method }, response) => {
    if (method === 'GET') response.end(shown)
    else response.writeHead(204).end()
  })
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

const NOTHING = '{"effects": 0, "state": null, "amount": null, "currency": null}'
const ONE = 'registration/accepts-test-post'

async function fromSandbox(): Promise<TestCertificate> {
  await shop.run('cert', 'localhost')
  const pem = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
  return { cert: pem('localhost.crt.pem'), key: pem('localhost.key.pem') }
}

test('effects over HTTPS are read from a page with a certificate of the sandbox’s CA', async () => {
  const origin = await openPlatform(await fromSandbox(), NOTHING)

  const effects = `${origin}/effects/{object_type}/{id}`
  const { code, stderr } = await shop.run('check', `${origin}/x`, ONE, '--port', '0', '--effects', effects)

  expect([code, stderr]).toEqual([0, ''])
})

test('effects over HTTPS are read from a page with a certificate of receiver.ca', async () => {
  const authority = await testAuthority()
  const origin = await openPlatform(await authority.issue(), NOTHING)
  writeFileSync(join(shop.folder, 'ca.pem'), authority.pem)
  const config = {
    receiver: { url: `${origin}/{object_type}`, ca: 'ca.pem' },
    effects: { http: `${origin}/effects/{object_type}/{id}` },
    port: 0,
  }
  writeFileSync(join(shop.folder, 'ca.json'), JSON.stringify(config))

  const { code, stderr } = await shop.run('check', ONE, '--config', 'ca.json')

  expect([code, stderr]).toEqual([0, ''])
})

test('an answer that is wrong is told with its field, its value and where it came from', async () => {
  const origin = await openPlatform(await fromSandbox(), '{"effects": 1, "state": null, "amount": "12.00"}')

  const effects = `${origin}/effects/{object_type}/{id}`
  const { code, stderr } = await shop.run('check', `${origin}/x`, ONE, '--port', '0', '--effects', effects)

  expect(code).toBe(2)
  expect(stderr).toContain(`effects.http at ${origin}/effects/items/0`)
  expect(stderr).toContain('"amount" takes a number of minor units, not "12.00"')
})
