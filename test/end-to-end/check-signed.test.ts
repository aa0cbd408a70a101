import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkshop } from '../support/program.ts'

const SECRET = 'a-secret-of-32-characters-or-more'
const shop = openWorkshop()
let server: ReturnType<typeof createServer>

// A receiver that answers 401 to whatever is not signed with its secret.
beforeAll(async () => {
  await shop.run('cert', 'localhost')
  const pem = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
  server = createServer(
    { cert: pem('localhost.crt.pem'), key: pem('localhost.key.pem') },
    (request, response) => {
      const answered = text(request).then((body) => {
        const [, time, given] = /^t=(\d+),v=(.+)$/.exec(String(request.headers['webhooks-signature'])) ?? []
        const computed = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('base64url')
        return response.writeHead(given === computed ? 204 : 401).end()
      })
      answered.catch(() => response.destroy())
    },
  )
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve)
  })
})

afterAll(() => {
  server.close().closeAllConnections()
  shop.close()
})

async function verdictWith(secret: string): Promise<unknown> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const { port } = server.address() as AddressInfo
  const config = {
    receiver: { url: `https://localhost:${port}/{object_type}` },
    port: 0,
    readings: { signature: 'hmac' },
    signatureSecret: secret,
  }
  writeFileSync(join(shop.folder, 'signed.json'), JSON.stringify(config))
  const { stdout } = await shop.run(
    'check',
    'http/accepts-golden-bodies',
    '--config',
    'signed.json',
    '--json',
  )
  expect(stdout).not.toContain(secret)
  return JSON.parse(stdout).checks[0].verdict
}

test('deliveries are signed with the secret that the receiver verifies with', async () => {
  expect(await verdictWith(SECRET)).toBe('passed')
})

test('with another secret they are refused', async () => {
  expect(await verdictWith(SECRET.toUpperCase())).toBe('failed')
})
